package rediskv

// Parts of scripts. Numbers beyond 2^53 do not fit a Lua number, so ids,
// versions and counters are compared as texts; redis.call takes and returns
// texts anyway. Lua compares texts by the locale of the server, which is right
// for digits only.

// luaDecimal compares decimal integers without leading zeros.
//
//	less(a, b)   a < b, both unsigned
//	below(a, b)  a < b, with signs
const luaDecimal = `
local call, byte, sub, find = redis.call, string.byte, string.sub, string.find
local function less(a, b)
  if #a ~= #b then return #a < #b end
  return a < b
end
local function below(a, b)
  local na, nb = byte(a) == 45, byte(b) == 45
  if na ~= nb then return na end
  if na then return less(sub(b, 2), sub(a, 2)) end
  return less(a, b)
end
`

// luaSearch finds a place in a feed by halving; near the end of the list, where
// readers are, in steps that double.
//
//	place(key, len, id, after)  index of the first id >= id (after: > id);
//	                            len if there is none. The header is index 0.
const luaSearch = `
local function place(key, len, id, after)
  local lo, hi, step = 1, len, 32
  local function left(i)
    local e = call('LINDEX', key, i)
    return less(e, id) or (after and e == id)
  end
  while len - step >= lo do
    local i = len - step
    if left(i) then lo = i + 1 break end
    hi, step = i, step * 2
  end
  while lo < hi do
    local mid = math.floor((lo + hi) / 2)
    if left(mid) then lo = mid + 1 else hi = mid end
  end
  return lo
end
`

// luaFeed pushes into feeds.
//
//	floorof(header)  the floor of a feed in whatever state, seen or unseen
//	cut(key, len)    leaves the newest FeedKeep ids; len counts the header too
//	insert(key, id)  puts in a late id, which mostly belongs near the end;
//	                 returns the length, or 0 if it is there already
//	push(key, id)    what kv.Push says
//
// The usual push is one LINDEX and one RPUSH: what is above the last id is above
// the floor too, whatever the state.
const luaFeed = `
local KEEP, MAX = $FEEDKEEP, $FEEDMAX
local function floorof(header)
  if byte(header) == 119 then return sub(header, 2) end
  local at = find(header, ' ', 1, true)
  return at and sub(header, at + 1) or '0'
end
local function cut(key, len)
  local header = call('LINDEX', key, 0)
  local drop = len - 1 - KEEP
  local floor = call('LINDEX', key, drop)
  call('LTRIM', key, drop, -1)
  if byte(header) == 119 then
    header = 'w' .. floor
  else
    local at = find(header, ' ', 1, true)
    header = (at and sub(header, 1, at - 1) or header) .. ' ' .. floor
  end
  call('LSET', key, 0, header)
end
local function insert(key, id)
  local tail = call('LRANGE', key, -8, -1)
  for i = #tail, 1, -1 do
    local e = tail[i]
    if e == id then return 0 end
    if byte(e) > 57 or less(e, id) then return call('LINSERT', key, 'AFTER', e, id) end
  end
  local e = call('LINDEX', key, place(key, call('LLEN', key), id, false))
  if e == id then return 0 end
  return call('LINSERT', key, 'BEFORE', e, id)
end
local function push(key, id)
  local last = call('LINDEX', key, -1)
  if not last or last == id then return end
  local len
  if byte(last) > 57 then
    if not less(floorof(last), id) then return end
    len = call('RPUSH', key, id)
  elseif less(last, id) then
    len = call('RPUSH', key, id)
  else
    if not less(floorof(call('LINDEX', key, 0)), id) then return end
    len = insert(key, id)
  end
  if len > MAX + 1 then cut(key, len) end
end
`

// luaPush delivers ids.
//
//	KEYS    feeds, at most some hundred, all of one slot in a Cluster
//	ARGV    one id for all of them, or one for each
//	result  1
const luaPush = `
for i = 1, #KEYS do push(KEYS[i], ARGV[i] or ARGV[1]) end
return 1
`

// luaFill fills feeds and merges into them.
//
//	append(key, ids, from)             RPUSH in pieces that Lua can unpack;
//	                                   returns the length
//	join(old, new, floor)              both rising, into one above the floor
//	merge(key, text)                   what kv.Merge says; ids rising, with
//	                                   spaces between
//	fill(key, token, ttl)              what kv.Fill says
//	filled(key, token, floor, text)    what kv.Filled says
const luaFill = `
local function append(key, ids, from)
  local len
  for i = from, #ids, 1000 do
    len = call('RPUSH', key, unpack(ids, i, math.min(i + 999, #ids)))
  end
  return len or call('LLEN', key)
end
local function join(old, new, floor)
  local all, i, j = {}, 1, 1
  while i <= #old or j <= #new do
    local e
    if i > #old then e = new[j]
    elseif j > #new then e = old[i]
    elseif less(old[i], new[j]) then e = old[i]
    else e = new[j] end
    if old[i] == e then i = i + 1 end
    if new[j] == e then j = j + 1 end
    if less(floor, e) then all[#all + 1] = e end
  end
  return all
end
local function list(text)
  local ids = {}
  for id in string.gmatch(text, '%d+') do ids[#ids + 1] = id end
  return ids
end
local function merge(key, text)
  local header = call('LINDEX', key, 0)
  if not header then return end
  local ids = join({}, list(text), floorof(header))
  if #ids == 0 then return end
  local len = call('LLEN', key)
  local at = place(key, len, ids[1], false)
  if at < len then
    ids = join(call('LRANGE', key, at, -1), ids, '0')
    call('LTRIM', key, 0, at - 1)
  end
  len = append(key, ids, 1)
  if len > MAX + 1 then cut(key, len) end
end
local function fill(key, token, ttl)
  local header = call('LINDEX', key, 0)
  if not header then
    call('RPUSH', key, 'f' .. token)
  elseif byte(header) == 119 then
    return
  else
    local floor = floorof(header)
    call('LSET', key, 0, 'f' .. token .. (floor == '0' and '' or ' ' .. floor))
  end
  call('PEXPIRE', key, ttl)
end
local function filled(key, token, floor, text)
  local header = call('LINDEX', key, 0)
  if not header or byte(header) == 119 then return end
  local at = find(header, ' ', 1, true)
  if sub(header, 2, at and at - 1) ~= token then return end
  if less(floor, floorof(header)) then floor = floorof(header) end
  local ids = join(call('LRANGE', key, 1, -1), list(text), floor)
  local from = 1
  if #ids > KEEP then
    from = #ids - KEEP + 1
    floor = ids[from - 1]
  end
  call('LTRIM', key, 0, 0)
  call('LSET', key, 0, 'w' .. floor)
  append(key, ids, from)
  call('PERSIST', key)
end
`

// luaPage answers a page of a feed with bounds; it reads the header, some ids
// for the search, and the page.
//
//	KEYS    the feed
//	ARGV    above, below (0: none), 1 for the ids directly above "above" or 0,
//	        limit
//	result  nil if cold; else the header, then, if warm, the ids rising
const luaPage = `
local key, above, under, limit = KEYS[1], ARGV[1], ARGV[2], tonumber(ARGV[4])
local header = call('LINDEX', key, 0)
if not header then return false end
if byte(header) ~= 119 then return {header} end
local len = call('LLEN', key)
local from = above == '0' and 1 or place(key, len, above, true)
local to = (under == '0' and len or place(key, len, under, false)) - 1
if ARGV[3] == '1' then to = math.min(to, from + limit - 1) else from = math.max(from, to - limit + 1) end
if from > to then return {header} end
local ids = call('LRANGE', key, from, to)
table.insert(ids, 1, header)
return ids
`
