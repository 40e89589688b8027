# SPDX-License-Identifier: BSD-3-Clause
# The fragments of the conduit lie here already: clients make them, by their names or by the mode's.
all seq par parsync:
	@:

.PHONY: all seq par parsync
