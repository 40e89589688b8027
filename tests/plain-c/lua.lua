-- SPDX-License-Identifier: BSD-3-Clause
-- What `cargo xtask projects` runs in a Lua that upcc built: a little of every part of it, as
-- Debian's package brings no test suite. An assertion that fails ends it with an error.

-- numbers: integers wrap, floats print shortest
assert(math.maxinteger + 1 == math.mininteger)
assert(7 // 2 == 3 and -7 // 2 == -4 and -7 % 3 == 2 and 7 / 2 == 3.5)
assert(string.format("%.14g %5.2f %x %q", 0.1, math.pi, 255, "a\nb") == '0.1  3.14 ff "a\\\nb"')

-- strings and patterns
assert(("hello world"):gsub("o", "0") == "hell0 w0rld")
assert(("key = value"):match("^(%w+)%s*=%s*(%w+)$") == "key")
assert(#string.rep("ab", 1000, ",") == 2999)
assert(string.pack("<i4", 258) == "\2\1\0\0" and string.unpack("<i4", "\2\1\0\0") == 258)

-- tables: array part, hash part, sorting
local list = {}
for i = 1, 1000 do list[i] = (i * 7919) % 1009 end
table.sort(list)
for i = 2, #list do assert(list[i - 1] <= list[i]) end
local set = {}
for i = 1, 1000 do set["k" .. i] = i end
for i = 1, 1000, 2 do set["k" .. i] = nil end
local count = 0
for _ in pairs(set) do count = count + 1 end
assert(count == 500)

-- closures, varargs, metatables
local function counter() local n = 0; return function() n = n + 1; return n end end
local a, b = counter(), counter()
assert(a() == 1 and a() == 2 and b() == 1)
assert(select("#", table.unpack({1, nil, 3}, 1, 3)) == 3)
local vector = setmetatable({}, {__add = function(x, y) return 42 end, __index = function(_, k) return k end})
assert(vector + vector == 42 and vector.name == "name")

-- coroutines, errors through C calls (setjmp and longjmp)
local generate = coroutine.wrap(function() for i = 1, 3 do coroutine.yield(i) end end)
assert(generate() + generate() + generate() == 6)
local ok, message = pcall(function() error({code = 5}) end)
assert(not ok and message.code == 5)
local deep = select(2, pcall(function() local function f() return 1 + f() end return f() end))
assert(tostring(deep):find("stack overflow"))

-- the compiler, the collector, files
assert(load("return 6 * 7")() == 42 and load("syntax error here") == nil)
for i = 1, 20 do local garbage = {}; for j = 1, 1000 do garbage[j] = {j} end end
collectgarbage()
assert(collectgarbage("count") < 10000)
local name = os.tmpname()
local file = assert(io.open(name, "w"))
file:write("one\n", 2, "\n"); file:close()
local lines = {}
for line in io.lines(name) do lines[#lines + 1] = line end
os.remove(name)
assert(lines[1] == "one" and tonumber(lines[2]) == 2)
print("ok")
