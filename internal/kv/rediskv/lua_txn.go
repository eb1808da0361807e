package rediskv

// luaLibrary defines the functions for feeds, which most transactions do not need.
const luaLibrary = `
local function library()
` + luaSearch + luaTail + luaFeed + luaFill + `
  return {U = push, M = merge, F = fill, W = filled}
end
`

// luaTxn checks all conditions and then makes all changes, without checking first whether each can
// be made. Lua does not roll back, so the changes are arranged such that none fails after one that
// cannot be undone (see arranged). Increments come first, because any hash field may be under the
// key, and are undone if one of them or the following change fails. Of the other changes, only
// changes of sets and feeds can fail, on a key of another shape. The port leaves that undefined,
// and earlier changes may then remain. Redis refuses all other failures (no memory, read-only, disk
// error) at the first write or not at all.
//
//	KEYS    the key of each condition, then of each change, repeats included
//	ARGV    number of conditions; then for each condition
//	          v version | p | m member | n member | s member score |
//	          b score | c name limit
//	        and for each change
//	          P text ttl | D | I name by | J name by (after D of its key) | A member score | R member | T keep |
//	          U id | L id | M ids | F token ttl | W token floor ids ttl
//	        (ttl in milliseconds, 0: unlimited; ids ascending, separated by spaces)
//	result  -1, or the index, from 0, of the first condition that failed
//	errors  WRONGTYPE, RANGE and FOREIGN
const luaTxn = `
local key, at, feeds = nil, 2, nil
local function holds(op, a, b)
  if op == 'v' then
    local text = call('GETRANGE', key, 0, 20)
    if text == '' then return a == '0' end
    return string.match(text, '^%d+') == a
  elseif op == 'p' then return call('EXISTS', key) == 1
  elseif op == 'm' then return call('ZSCORE', key, a)
  elseif op == 'n' then return not call('ZSCORE', key, a)
  elseif op == 's' then
    local is = call('ZSCORE', key, a)
    return is and tonumber(is) == tonumber(b)
  elseif op == 'b' then
    local last = call('ZREVRANGE', key, 0, 0, 'WITHSCORES')
    return not last[2] or tonumber(last[2]) < tonumber(a)
  else return below(call('HGET', key, a) or '0', b) end
end
local operands = {v = 1, p = 0, m = 1, n = 1, s = 2, b = 1, c = 2, P = 2, D = 0, I = 2, J = 2, A = 2, R = 1, T = 1, U = 1, L = 1, M = 1, F = 2, W = 4}
local conds = tonumber(ARGV[1])
for i = 1, conds do
  local op = ARGV[at]
  key = KEYS[i]
  if not holds(op, ARGV[at + 1], ARGV[at + 2]) then return i - 1 end
  at = at + 1 + operands[op]
end
local function change(op, a, b, c, d)
  if op == 'P' then
    if b == '0' then call('SET', key, a) else call('SET', key, a, 'PX', b) end
  elseif op == 'D' then call('UNLINK', key)
  elseif op == 'I' or op == 'J' then call('HINCRBY', key, a, b)
  elseif op == 'A' then call('ZADD', key, b, a)
  elseif op == 'R' then call('ZREM', key, a)
  elseif op == 'T' then call('ZREMRANGEBYRANK', key, 0, -1 - tonumber(a))
  elseif op == 'L' then call('LREM', key, 0, a)
  else
    feeds = feeds or library()
    feeds[op](key, a, b, c, d)
  end
end
local written, undo = false, {}
local function failed(why)
  for _, u in ipairs(undo) do
    local by = u[3]
    by = sub(by, 1, 1) == '-' and sub(by, 2) or '-' .. by
    if call('HINCRBY', u[1], u[2], by) == 0 then call('HDEL', u[1], u[2]) end
  end
  local text = type(why) == 'table' and why.err or tostring(why)
  if find(text, 'not an integer', 1, true) then text = 'FOREIGN the counter is not an integer' end
  if find(text, 'would overflow', 1, true) then text = 'RANGE the counter would overflow' end
  return redis.error_reply(text)
end
for i = conds + 1, #KEYS do
  local op = ARGV[at]
  key = KEYS[i]
  if written then
    change(op, ARGV[at + 1], ARGV[at + 2], ARGV[at + 3], ARGV[at + 4])
  else
    local ok, why = pcall(change, op, ARGV[at + 1], ARGV[at + 2], ARGV[at + 3], ARGV[at + 4])
    if not ok then return failed(why) end
    if op == 'I' then table.insert(undo, 1, {key, ARGV[at + 1], ARGV[at + 2]}) else written = true end
  end
  at = at + 1 + operands[op]
end
return -1
`

// luaRange reads a page of a set whose cursor is among members with equal scores. It finds ranks by
// ZRANK if the cursor is still a member with its score, and otherwise by bisection among the
// members with that score. Members are compared bytewise, like in Redis.
//
//	KEYS    the set
//	ARGV    limit, 1 for descending or 0, then above and below, each as
//	        "-" or "m" score member
//	result  member, score, ... in the requested order
const luaRange = `
local call, byte = redis.call, string.byte
local key, limit = KEYS[1], tonumber(ARGV[1])
local function before(a, b)
  for i = 1, math.min(#a, #b) do
    local x, y = byte(a, i), byte(b, i)
    if x ~= y then return x < y end
  end
  return #a < #b
end
-- the number of members that come before (score, member), and whether it is one
local function count(score, member)
  local is = call('ZSCORE', key, member)
  if is and tonumber(is) == tonumber(score) then return call('ZRANK', key, member), true end
  local lo = call('ZCOUNT', key, '-inf', '(' .. score)
  local hi = lo + call('ZCOUNT', key, score, score)
  while lo < hi do
    local mid = math.floor((lo + hi) / 2)
    if before(call('ZRANGE', key, mid, mid)[1], member) then lo = mid + 1 else hi = mid end
  end
  return lo, false
end
local at, from, to = 3, 0, nil
if ARGV[at] == 'm' then
  local n, is = count(ARGV[at + 1], ARGV[at + 2])
  from, at = is and n + 1 or n, at + 3
else
  at = at + 1
end
if ARGV[at] == 'm' then to = count(ARGV[at + 1], ARGV[at + 2]) - 1 else to = call('ZCARD', key) - 1 end
if ARGV[2] == '1' then
  from = math.max(from, to - limit + 1)
  if from > to then return {} end
  local card = call('ZCARD', key)
  return call('ZREVRANGE', key, card - 1 - to, card - 1 - from, 'WITHSCORES')
end
to = math.min(to, from + limit - 1)
if from > to then return {} end
return call('ZRANGE', key, from, to, 'WITHSCORES')
`

// luaCount counts on a meter. Reading (n = 0) does not create one.
//
//	KEYS    the meter
//	ARGV    n, lifetime in milliseconds
//	result  the new value
const luaCount = `
if ARGV[1] == '0' then return tonumber(redis.call('GET', KEYS[1]) or 0) end
local n = redis.call('INCRBY', KEYS[1], ARGV[1])
if redis.call('PTTL', KEYS[1]) < 0 then redis.call('PEXPIRE', KEYS[1], ARGV[2]) end
return n
`
