# 4294967295 "seed.upc"
shared int a;

shared int f(shared int x);
int g(void) { shared int y; return a + y; }
