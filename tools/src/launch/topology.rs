// SPDX-License-Identifier: BSD-3-Clause
//! The CPUs of this machine and what they have in common, from hwloc: one hardware thread of every
//! core before the second of any, neighbours in the machine next to each other.
//!
//! The library is loaded only if threads are bound: looking at the machine's topology takes longer
//! than starting a job. Declarations: hwloc 2.x, `hwloc.h` and `hwloc/bitmap.h`.

use super::plan::Cpu;
use std::ffi::{c_char, c_int, c_uint, c_void, CStr};

const LIBRARY: &CStr = c"libhwloc.so.15";
const HWLOC_OBJ_PACKAGE: c_int = 1;
const HWLOC_OBJ_CORE: c_int = 2;
const HWLOC_OBJ_PU: c_int = 3;
const HWLOC_OBJ_L1CACHE: c_int = 4;
const HWLOC_OBJ_L5CACHE: c_int = 8;

type Topology = *mut c_void;
type Bitmap = *mut c_void;

/// The head of `struct hwloc_obj`, which is part of hwloc 2's stable ABI.
#[repr(C)]
struct Object {
    kind: c_int,
    subtype: *mut c_char,
    os_index: c_uint,
    name: *mut c_char,
    total_memory: u64,
    attributes: *mut c_void,
    depth: c_int,
    logical_index: c_uint,
    next_cousin: *mut Object,
    previous_cousin: *mut Object,
    parent: *mut Object,
    sibling_rank: c_uint,
    next_sibling: *mut Object,
    previous_sibling: *mut Object,
    arity: c_uint,
    children: *mut *mut Object,
    first_child: *mut Object,
    last_child: *mut Object,
    symmetric_subtree: c_int,
    memory_arity: c_uint,
    memory_first_child: *mut Object,
}

/// The functions we use, by their names in the library.
struct Hwloc {
    topology_init: unsafe extern "C" fn(*mut Topology) -> c_int,
    topology_load: unsafe extern "C" fn(Topology) -> c_int,
    topology_destroy: unsafe extern "C" fn(Topology),
    is_thissystem: unsafe extern "C" fn(Topology) -> c_int,
    get_allowed: unsafe extern "C" fn(Topology) -> Bitmap,
    get_type_depth: unsafe extern "C" fn(Topology, c_int) -> c_int,
    get_nbobjs_by_depth: unsafe extern "C" fn(Topology, c_int) -> c_uint,
    get_obj_by_depth: unsafe extern "C" fn(Topology, c_int, c_uint) -> *mut Object,
    bitmap_dup: unsafe extern "C" fn(Bitmap) -> Bitmap,
    bitmap_free: unsafe extern "C" fn(Bitmap),
    bitmap_isset: unsafe extern "C" fn(Bitmap, c_uint) -> c_int,
    bitmap_singlify_per_core: unsafe extern "C" fn(Topology, Bitmap, c_uint) -> c_int,
}

/// The machine as hwloc sees it.
#[derive(Default)]
pub struct Machine {
    /// One hardware thread of every core before the second of any.
    pub cpus: Vec<Cpu>,
    /// Else the environment describes another machine (HWLOC_SYNTHETIC, HWLOC_XMLFILE).
    pub is_this: bool,
}

/// The CPUs that this process may use.
pub fn machine() -> Result<Machine, String> {
    let hwloc = Hwloc::load().ok_or_else(|| {
        let library = LIBRARY.to_string_lossy();
        format!("to bind threads needs {library}; on Debian: apt install libhwloc15")
    })?;
    let mut machine = hwloc.machine();
    if machine.is_this {
        machine.cpus.retain(|cpu| may_run_on(cpu.number));
    }
    match machine.cpus.is_empty() {
        true => Err("threads cannot be bound: hwloc finds no CPU that this process may use".into()),
        false => Ok(machine),
    }
}

/// Whether the CPU is in this process's own affinity mask (`taskset`).
pub fn may_run_on(cpu: u32) -> bool {
    // SAFETY: cpu_set_t is plain data, and the call gets its size.
    unsafe {
        let mut set: libc::cpu_set_t = std::mem::zeroed();
        let size = std::mem::size_of_val(&set);
        libc::sched_getaffinity(0, size, &mut set) != 0
            || ((cpu as usize) < size * 8 && libc::CPU_ISSET(cpu as usize, &set))
    }
}

#[allow(clippy::missing_transmute_annotations)] // The fields' types are the annotations.
impl Hwloc {
    fn load() -> Option<Hwloc> {
        // SAFETY: the names are strings that end in 0; the types are those of hwloc 2's headers,
        // which the library's version number 15 stands for.
        unsafe {
            let library = libc::dlopen(LIBRARY.as_ptr(), libc::RTLD_NOW | libc::RTLD_LOCAL);
            if library.is_null() {
                return None;
            }
            let symbol = |name: &CStr| {
                let address = libc::dlsym(library, name.as_ptr());
                (!address.is_null()).then_some(address)
            };
            use std::mem::transmute;
            Some(Hwloc {
                topology_init: transmute(symbol(c"hwloc_topology_init")?),
                topology_load: transmute(symbol(c"hwloc_topology_load")?),
                topology_destroy: transmute(symbol(c"hwloc_topology_destroy")?),
                is_thissystem: transmute(symbol(c"hwloc_topology_is_thissystem")?),
                get_allowed: transmute(symbol(c"hwloc_topology_get_allowed_cpuset")?),
                get_type_depth: transmute(symbol(c"hwloc_get_type_depth")?),
                get_nbobjs_by_depth: transmute(symbol(c"hwloc_get_nbobjs_by_depth")?),
                get_obj_by_depth: transmute(symbol(c"hwloc_get_obj_by_depth")?),
                bitmap_dup: transmute(symbol(c"hwloc_bitmap_dup")?),
                bitmap_free: transmute(symbol(c"hwloc_bitmap_free")?),
                bitmap_isset: transmute(symbol(c"hwloc_bitmap_isset")?),
                bitmap_singlify_per_core: transmute(symbol(c"hwloc_bitmap_singlify_per_core")?),
            })
        }
    }

    fn machine(&self) -> Machine {
        // SAFETY: the topology is initialised before any other use and destroyed after the last;
        // objects belong to it.
        unsafe {
            let mut topology = std::ptr::null_mut();
            if (self.topology_init)(&mut topology) != 0 {
                return Machine::default();
            }
            let machine = match (self.topology_load)(topology) {
                0 => Machine {
                    cpus: self.order(topology),
                    is_this: (self.is_thissystem)(topology) != 0,
                },
                _ => Machine::default(),
            };
            (self.topology_destroy)(topology);
            machine
        }
    }

    /// # Safety
    /// `topology` is loaded.
    unsafe fn order(&self, topology: Topology) -> Vec<Cpu> {
        let depth = (self.get_type_depth)(topology, HWLOC_OBJ_PU);
        let all: Vec<Cpu> = (0..(self.get_nbobjs_by_depth)(topology, depth))
            .map(|i| place(&*(self.get_obj_by_depth)(topology, depth, i)))
            .collect();
        let mut order = Vec::with_capacity(all.len());
        for nth in 0.. {
            let set = (self.bitmap_dup)((self.get_allowed)(topology));
            (self.bitmap_singlify_per_core)(topology, set, nth);
            let before = order.len();
            order.extend(all.iter().filter(|cpu| (self.bitmap_isset)(set, cpu.number) != 0));
            (self.bitmap_free)(set);
            if order.len() == before {
                break;
            }
        }
        order
    }
}

/// What is above a CPU: its core, its socket, its nearest memory, and the outermost cache (the core,
/// where the system tells of none) by the number of the first CPU in it.
///
/// # Safety
/// The object's parents are alive.
unsafe fn place(pu: &Object) -> Cpu {
    let (mut shares, mut node) = (pu, None);
    let mut cpu = Cpu { number: pu.os_index, core: pu.logical_index, ..Cpu::default() };
    let mut at: *const Object = pu;
    while let Some(object) = at.as_ref() {
        match object.kind {
            HWLOC_OBJ_CORE | HWLOC_OBJ_L1CACHE..=HWLOC_OBJ_L5CACHE => shares = object,
            HWLOC_OBJ_PACKAGE => cpu.socket = object.logical_index,
            _ => {}
        }
        if object.kind == HWLOC_OBJ_CORE {
            cpu.core = object.logical_index;
        }
        let memory = object.memory_first_child.as_ref();
        node = node.or(memory.map(|memory| memory.os_index));
        at = object.parent;
    }
    while let Some(child) = shares.first_child.as_ref() {
        shares = child;
    }
    Cpu { cache: shares.os_index, node: node.unwrap_or(0), ..cpu }
}

#[cfg(test)]
mod tests {
    #[test]
    fn every_cpu_once() {
        match super::machine() {
            Ok(super::Machine { cpus, .. }) => {
                let mut numbers: Vec<_> = cpus.iter().map(|cpu| cpu.number).collect();
                numbers.sort_unstable();
                numbers.dedup();
                assert_eq!(numbers.len(), cpus.len());
                let leads = |cpu: &&super::Cpu| cpu.cache == cpu.number;
                assert!(cpus.iter().any(|cpu| leads(&cpu)), "a cache is named for one of its CPUs");
            }
            Err(text) => assert!(text.contains("libhwloc"), "{text}"),
        }
    }
}
