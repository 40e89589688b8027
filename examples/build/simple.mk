# SPDX-License-Identifier: BSD-3-Clause
# Plain make, with the headers that sources include as upcc lists them, and pkg-config for C.
#
#   make -f simple.mk check
UPCC ?= upcc
UPCRUN ?= upcrun
UPCFLAGS ?= -O2
CPPFLAGS += -DELEMENTS=1000 -MMD

check: sums ring
	$(UPCRUN) -n 3 ./sums
	$(UPCRUN) -n 4 -virtual-hosts 2 ./sums
	$(UPCRUN) -n 3 ./ring

sums: main.o sum.o describe.o
	$(UPCC) $(UPCFLAGS) $^ -o $@ -lm

%.o: %.upc
	$(UPCC) $(UPCFLAGS) $(CPPFLAGS) -c $< -o $@

ring: ring.c
	$(CC) $(CFLAGS) $< -o $@ $$(pkg-config --cflags --libs furlong-gas)

clean:
	rm -f sums ring *.o *.d

-include $(wildcard *.d)
.PHONY: check clean
