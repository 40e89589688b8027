#define X(
int y = X(1;
