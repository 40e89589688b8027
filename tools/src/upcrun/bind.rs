// SPDX-License-Identifier: BSD-3-Clause
//! The order in which threads take CPUs, from hwloc: one hardware thread of every core before the
//! second of any, neighbours in the machine next to each other.
//!
//! The library is loaded only under -bind-threads: looking at the machine's topology takes longer
//! than starting a job. Declarations: hwloc 2.x, `hwloc.h` and `hwloc/bitmap.h`.

use std::ffi::{c_char, c_int, c_uint, c_void, CStr};

const LIBRARY: &CStr = c"libhwloc.so.15";
const HWLOC_OBJ_PU: c_int = 3;

type Topology = *mut c_void;
type Bitmap = *mut c_void;

/// The head of `struct hwloc_obj`, which is part of hwloc 2's stable ABI.
#[repr(C)]
struct Object {
    kind: c_int,
    subtype: *mut c_char,
    os_index: c_uint,
}

/// The functions we use, by their names in the library.
struct Hwloc {
    topology_init: unsafe extern "C" fn(*mut Topology) -> c_int,
    topology_load: unsafe extern "C" fn(Topology) -> c_int,
    topology_destroy: unsafe extern "C" fn(Topology),
    get_allowed: unsafe extern "C" fn(Topology) -> Bitmap,
    get_type_depth: unsafe extern "C" fn(Topology, c_int) -> c_int,
    get_nbobjs_by_depth: unsafe extern "C" fn(Topology, c_int) -> c_uint,
    get_obj_by_depth: unsafe extern "C" fn(Topology, c_int, c_uint) -> *mut Object,
    bitmap_dup: unsafe extern "C" fn(Bitmap) -> Bitmap,
    bitmap_free: unsafe extern "C" fn(Bitmap),
    bitmap_isset: unsafe extern "C" fn(Bitmap, c_uint) -> c_int,
    bitmap_singlify_per_core: unsafe extern "C" fn(Topology, Bitmap, c_uint) -> c_int,
}

/// CPU numbers in the order in which threads shall take them.
pub fn cpus() -> Result<Vec<u32>, String> {
    let hwloc = Hwloc::load().ok_or_else(|| {
        let library = LIBRARY.to_string_lossy();
        format!("-bind-threads needs {library}; on Debian: apt install libhwloc15")
    })?;
    let cpus: Vec<u32> = hwloc.cpus().into_iter().filter(|cpu| may_run_on(*cpu)).collect();
    match cpus.is_empty() {
        true => Err("-bind-threads: hwloc finds no CPU that this process may use".to_string()),
        false => Ok(cpus),
    }
}

/// Whether the CPU is in this process's own affinity mask (`taskset`).
fn may_run_on(cpu: u32) -> bool {
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

    fn cpus(&self) -> Vec<u32> {
        // SAFETY: the topology is initialised before any other use and destroyed after the last;
        // objects belong to it.
        unsafe {
            let mut topology = std::ptr::null_mut();
            if (self.topology_init)(&mut topology) != 0 {
                return Vec::new();
            }
            let order = match (self.topology_load)(topology) {
                0 => self.order(topology),
                _ => Vec::new(),
            };
            (self.topology_destroy)(topology);
            order
        }
    }

    /// # Safety
    /// `topology` is loaded.
    unsafe fn order(&self, topology: Topology) -> Vec<u32> {
        let depth = (self.get_type_depth)(topology, HWLOC_OBJ_PU);
        let all: Vec<u32> = (0..(self.get_nbobjs_by_depth)(topology, depth))
            .map(|i| (*(self.get_obj_by_depth)(topology, depth, i)).os_index)
            .collect();
        let mut order = Vec::with_capacity(all.len());
        for nth in 0.. {
            let set = (self.bitmap_dup)((self.get_allowed)(topology));
            (self.bitmap_singlify_per_core)(topology, set, nth);
            let before = order.len();
            order.extend(all.iter().filter(|cpu| (self.bitmap_isset)(set, **cpu) != 0));
            (self.bitmap_free)(set);
            if order.len() == before {
                break;
            }
        }
        order
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn every_cpu_once() {
        match super::cpus() {
            Ok(mut cpus) => {
                let count = cpus.len();
                cpus.sort_unstable();
                cpus.dedup();
                assert_eq!(cpus.len(), count);
            }
            Err(text) => assert!(text.contains("libhwloc"), "{text}"),
        }
    }
}
