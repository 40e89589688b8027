struct nothing {};
shared [8] char x[18446744073709551608u * THREADS];
shared [8] struct nothing y[18446744073709551608u * THREADS];
unsigned long share(void)
{
    return upc_localsizeof(x) + upc_localsizeof(shared [8] char[18446744073709551615u * THREADS]) +
           upc_localsizeof(y) + sizeof(shared [7] struct nothing[18446744073709551615u * THREADS]);
}
