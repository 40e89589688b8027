// SPDX-License-Identifier: BSD-3-Clause
// Every form of access to shared lvalues of every kind, with its value and its effects.
#include <upc_relaxed.h>
#include <stdio.h>
#include <complex.h>
typedef int v4 __attribute__((vector_size(16)));
struct s { int a; unsigned f : 3; int g : 5; _Bool b:1; double d[4]; const int c; struct { short in[3]; } sub; };
shared int x; shared [4] double b[4*THREADS]; shared struct s ss[THREADS]; 
shared [] int *shared q; shared [] int arr[10]; shared int ix; shared v4 vec; shared double complex z;
shared [3] int *shared pk; shared [] int (*shared rows)[5]; shared [] int mat[4][5]; strict shared struct s st; strict shared [] int (*shared srows)[5];
shared struct s *gp(void) { static int n; x++; return &ss[0]; }
int once;
int side(void) { once++; return 0; }
shared struct s *shared list[4*THREADS];
int fails;
#define CHECK(c) do { if (!(c)) { printf("line %d: %s\n", __LINE__, #c); fails++; } } while (0)
int main(void) {
 if (MYTHREAD == 0) {
  x = 3; x += 4; CHECK(x == 7); CHECK(x++ == 7); CHECK(--x == 7);
  b[2] = 1.5; b[3] = 2; b[3] *= b[2] + 1; CHECK(b[3] == 5);
  ss[0].f = 7; CHECK(ss[0].f == 7); CHECK(ss[0].f - 8 < 0); CHECK((ss[0].f++) - 8 < 0); CHECK(ss[0].f == 0);
  ss[0].g = -3; CHECK(ss[0].g == -3); ss[0].g -= 2; CHECK((ss[0].g += 1) == -4); ss[0].b = 5; CHECK(ss[0].b == 1);
  CHECK((ss[0].f = 9) == 1); CHECK(ss[0].f == 1 && ss[0].g == -4);
  st.f = 6; CHECK(st.f == 6); CHECK(st.f - 7 < 0); st.f += 1; CHECK(st.f == 7); CHECK(st.f++ == 7);  st.d[2] = 3; CHECK(st.d[2] == 3);
  arr[3] = 5; q = arr; q[3] += 2; ix = 3; CHECK(arr[ix] == 7); CHECK(q[ix] == 7); q++; CHECK(q[2] == 7); CHECK(*(q + ix - 1) == 7);
  CHECK(ix[arr] == 7);
  vec = (v4){1,2,3,4}; vec[2] = 9; CHECK(vec[2] == 9); vec += 1; CHECK(vec[0] == 2 && vec[ix] == 5); vec[ix]++; CHECK(vec[3] == 6);
  z = 1 + 2 * I; __imag__ z = 5; CHECK(__imag__ z == 5 && __real__ z == 1); z *= 2; CHECK(creal(z) == 2);
  rows = mat; rows[2][3] = 4; CHECK(mat[2][3] == 4); rows++; CHECK((*rows)[0] == 0 && rows[1][3] == 4);
  srows = mat; srows++; CHECK(srows[1][3] == 4);
  { struct s t; (void)t; }
  x = 0; gp()->f = 2; CHECK(x == 1); gp()->a += side() + 1; CHECK(x == 2 && once == 1);
  gp()->sub.in[1] = 8; CHECK(ss[0].sub.in[1]-- == 8 && ss[0].sub.in[1] == 7);
  arr[0] = 0; arr[arr[0]++] += 0; 
  list[1] = &ss[0]; CHECK(list[1]->sub.in[1] == 7); list[1]->d[1] = 2.5; CHECK(ss[0].d[1] == 2.5); list[2] = list[1]; CHECK(list[2] == &ss[0]);
  CHECK(sizeof(list[1]->d) == 32); CHECK(sizeof x == 4);
  __typeof__(x) yy = x; (void)yy; __typeof__(x + 1) y2 = x + 1; CHECK(y2 == x + 1);
  CHECK((x = 5, x + 1) == 6); CHECK((x ? x : 2) == 5); CHECK(!(x == 6)); 
  CHECK(_Generic(x, int: x, default: 0) == 5); _Generic(1, int: x) = 8; CHECK(x == 8);
  __builtin_choose_expr(1, x, 3) = 9; CHECK(__builtin_choose_expr(1, x, 3) == 9); CHECK(*&x == 9); (x) = 4; CHECK((x) == 4); CHECK(-x == -4);
  x += ({ x = 1; 3; }); CHECK(x == 4 || x == 7);
  int a2[2] = { x, arr[3] }; CHECK(a2[1] == 7);
  arr[3]; (void)arr[3];
  ss[0].f = gp()->f = 3; CHECK(ss[0].f == 3);
  ss[0].f |= (ss[0].b = 1, 4); CHECK(ss[0].f == 7 && ss[0].b == 1);
  pk = (shared [3] int *)arr; pk++; pk--; 
 }
 upc_barrier;
 struct s big; (void)big;
 printf(fails ? "FAIL\n" : "ok\n");
 return fails;
}
