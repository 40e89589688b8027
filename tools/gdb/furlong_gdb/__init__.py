# SPDX-License-Identifier: BSD-3-Clause
"""gdb for UPC programs: `job` knows the running program, `types` what upcc -g wrote into it,
`expression` evaluates UPC; `printers`, `frames` and `commands` show all of it."""
