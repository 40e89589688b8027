# SPDX-License-Identifier: BSD-3-Clause
# Furlong for Spack, from a tree of the sources: `spack repo create REPO furlong` makes a folder with a
# repo.yaml in it, and says how to add that to Spack. Copy this file to packages/furlong/package.py
# there, and in the tree `spack dev-build furlong@0.1.0`. It names no address to fetch the sources from.

from spack.package import *

try:
    from spack_repo.builtin.build_systems.generic import Package  # Spack 1.0 and 1.1
except ImportError:
    pass  # others have it in spack.package


class Furlong(Package):
    """Unified Parallel C (UPC 1.3), and OpenMP programs over several hosts."""

    license("BSD-3-Clause")

    version("0.1.0")

    variant("ucx", default=True, description="communicate by UCX")
    variant("ofi", default=False, description="communicate by libfabric")
    variant("openmpi", default=False, description="communicate by Open MPI")
    variant("mpich", default=False, description="communicate by MPICH")
    variant("pmix", default=True, description="be started by PMIx launchers")

    depends_on("c", type=("build", "run"))
    depends_on("rust@1.85:", type="build")
    depends_on("cmake@3.20:", type="build")
    depends_on("ninja", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("hwloc", type="run")
    depends_on("ucx", when="+ucx")
    depends_on("libsodium", when="+ucx")
    depends_on("libfabric", when="+ofi")
    depends_on("libsodium", when="+ofi")
    depends_on("openmpi", when="+openmpi")
    depends_on("mpich", when="+mpich")
    depends_on("pmix", when="+pmix")

    conflicts("platform=darwin")
    conflicts("platform=windows")
    conflicts("+openmpi", when="+mpich", msg="Spack's programs have one MPI")

    def install(self, spec, prefix):
        Executable("cargo")("build", "--release", "--locked", "--package", "furlong-tools")
        options = ["-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release", "-DFURLONG_TESTS=OFF"]
        cmake("-S", "runtime", "-B", "build/package/runtime", *options)
        cmake("--build", "build/package/runtime")
        shell = which("sh", required=True)
        shell("scripts/stage.sh", "build/package", "target")
        shell("scripts/install.sh", "build/package", "", prefix)
