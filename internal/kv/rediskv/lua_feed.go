package rediskv

// Numbers beyond 2^53 do not fit into a Lua number, so scripts compare ids, versions and counters
// as texts, which redis.call uses anyway. Lua compares texts by the server's locale, which is
// correct for digits only.

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

// luaSearch finds a position in a feed by bisection. Near the end of the list, where most reads
// are, it uses steps that double.
//
//	place(key, len, id, after)  index of the first id >= id (after: > id) among
//	                            the ordered ids, which are at index 1 up to
//	                            len; len if there is none
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

// luaTail finds the part of a feed that is in order of arrival.
//
//	behind(key, len)  the index of the mark, the last elements of the list, and
//	                  the position of the mark among them
const luaTail = `
local TAIL = $FEEDTAIL
local function behind(key, len)
  local tail
  for _, n in ipairs({TAIL + 2, len}) do
    tail = call('LRANGE', key, -n, -1)
    for at = #tail, 1, -1 do
      if byte(tail[at]) > 57 then return len - #tail + at - 1, tail, at end
    end
  end
  return 0, tail, 1
end
`

// luaFeed orders feeds.
//
//	floorof(header)        the floor of a feed in any state, seen or unseen
//	append(key, ids, from) RPUSH in pieces that Lua can unpack
//	ordered(ids)           the distinct ids in ascending order
//	join(old, new, floor)  merges two ascending lists above the floor
//	settle(key, ...)       merges the ids behind the mark into those before it
//	cut(key, ...)          keeps the newest FeedTrimmed ids
//	tidy(key)              brings a feed into the state of kv.Push: in order, each
//	                       id once, none below the floor, not too many
//	push(key, id)          kv.Push with that state at once
const luaFeed = `
local KEEP, MAX = $FEEDKEEP, $FEEDMAX
local function floorof(header)
  if byte(header) == 119 then return sub(header, 2) end
  local at = find(header, ' ', 1, true)
  return at and sub(header, at + 1) or '0'
end
local function append(key, ids, from)
  for i = from, #ids, 2000 do
    call('RPUSH', key, unpack(ids, i, math.min(i + 1999, #ids)))
  end
end
local function rising(ids)
  for i = 2, #ids do
    if not less(ids[i - 1], ids[i]) then return false end
  end
  return true
end
local function ordered(ids)
  if rising(ids) then return ids end
  table.sort(ids, less)
  local once = {}
  for _, id in ipairs(ids) do
    if id ~= once[#once] then once[#once + 1] = id end
  end
  return once
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
local function settle(key, header, mark, tail, at)
  if at == #tail then return end
  local warm, floor = byte(header) == 119, floorof(header)
  local last, ids, clean = floor, {}, true
  if mark > 1 then last = tail[at - 1] or call('LINDEX', key, mark - 1) end
  for i = at + 1, #tail do
    local e = tail[i]
    clean = clean and less(last, e)
    last = e
    if less(floor, e) then ids[#ids + 1] = e end
  end
  if clean then
    if not warm then return end
    if mark > 0 then call('LREM', key, -1, tail[at]) end
    call('RPUSH', key, header)
    return
  end
  ids = ordered(ids)
  local from = math.max(mark, 1)
  if ids[1] then from = place(key, from, ids[1], false) end
  if from < mark then ids = join(call('LRANGE', key, from, mark - 1), ids, floor) end
  if warm then ids[#ids + 1] = header end
  call('LTRIM', key, 0, from - 1)
  append(key, ids, 1)
end
local function cut(key, header, drop)
  local floor = call('LINDEX', key, drop)
  call('LTRIM', key, drop, -1)
  if byte(header) == 119 then
    call('LSET', key, -1, 'w' .. floor)
    call('LSET', key, 0, 'w' .. floor)
    return
  end
  local at = find(header, ' ', 1, true)
  call('LSET', key, 0, (at and sub(header, 1, at - 1) or header) .. ' ' .. floor)
end
local function tidy(key)
  local len = call('LLEN', key)
  if len == 0 then return end
  local header = call('LINDEX', key, 0)
  settle(key, header, behind(key, len))
  local n = call('LLEN', key) - (byte(header) == 119 and 2 or 1)
  if n > MAX then cut(key, header, n - KEEP) end
end
local function push(key, id)
  if call('RPUSHX', key, id) > 0 then tidy(key) end
end
`

// luaTidy tidies feeds.
//
//	KEYS    feeds, all of one slot in a Cluster
//	result  1
const luaTidy = `
for _, key in ipairs(KEYS) do tidy(key) end
return 1
`

// luaRenew extends the life of warm feeds. A feed that is being filled keeps the expiry of its
// filling.
//
//	KEYS    feeds, all of one slot in a Cluster
//	ARGV    lifetime in milliseconds
//	result  1
const luaRenew = `
for _, key in ipairs(KEYS) do
  local header = redis.call('LINDEX', key, 0)
  if header and string.byte(header) == 119 then redis.call('PEXPIRE', key, ARGV[1]) end
end
return 1
`

// luaFill fills feeds and merges into them. Earlier pushes are ordered and cut first, so that a
// feed is cut as soon as it is too long. A filling ends by rewriting the list, which takes fewer
// commands than changing it.
//
//	merge(key, text)                   kv.Merge; ids ascending, separated by
//	                                   spaces
//	fill(key, token, ttl)              kv.Fill
//	filled(key, token, floor, text,    kv.Filled; ttl in milliseconds,
//	       ttl)                        0: unlimited
const luaFill = `
local function list(text)
  local ids = {}
  for id in string.gmatch(text, '%d+') do ids[#ids + 1] = id end
  return ids
end
local function merge(key, text)
  if call('LLEN', key) == 0 then return end
  tidy(key)
  append(key, list(text), 1)
  tidy(key)
end
local function fill(key, token, ttl)
  if call('RPUSH', key, 'f' .. token) > 1 then -- it was not cold
    call('RPOP', key)
    local header = call('LINDEX', key, 0)
    if byte(header) == 119 then return end
    local floor = floorof(header)
    call('LSET', key, 0, 'f' .. token .. (floor == '0' and '' or ' ' .. floor))
  end
  call('PEXPIRE', key, ttl)
end
local function filled(key, token, floor, text, ttl)
  local pushed = call('LRANGE', key, 0, -1)
  local header = pushed[1]
  if not header or byte(header) == 119 then return end
  local at = find(header, ' ', 1, true)
  if sub(header, 2, at and at - 1) ~= token then return end
  local cutat = floorof(header)
  table.remove(pushed, 1)
  pushed = join(ordered(pushed), {}, cutat)
  if #pushed > MAX then cutat = pushed[#pushed - KEEP] end
  if less(floor, cutat) then floor = cutat end
  local ids = join(pushed, list(text), floor)
  local from = 1
  if #ids > KEEP then
    from = #ids - KEEP + 1
    floor = ids[from - 1]
  end
  local whole = {'w' .. floor}
  for i = from, #ids do whole[#whole + 1] = ids[i] end
  whole[#whole + 1] = whole[1]
  call('UNLINK', key)
  append(key, whole, 1)
  if ttl ~= '0' then call('PEXPIRE', key, ttl) end
end
`

// luaPage reads a page of a feed with bounds. It reads the header, the ids behind the mark, some
// ids for the search, and the page.
//
//	KEYS    the feed
//	ARGV    above, below (0: none), 1 for the ids directly above "above" or 0,
//	        limit
//	result  nil if cold; otherwise the header, then, if warm, ids between the
//	        bounds: up to the limit of ordered ones, then all behind the mark
const luaPage = `
local key, above, under, limit = KEYS[1], ARGV[1], ARGV[2], tonumber(ARGV[4])
local header = call('LINDEX', key, 0)
if not header then return false end
if byte(header) ~= 119 then return {header} end
local mark, tail, at = behind(key, call('LLEN', key))
mark = math.max(mark, 1)
local from = above == '0' and 1 or place(key, mark, above, true)
local to = (under == '0' and mark or place(key, mark, under, false)) - 1
if ARGV[3] == '1' then to = math.min(to, from + limit - 1) else from = math.max(from, to - limit + 1) end
local ids = from <= to and call('LRANGE', key, from, to) or {}
table.insert(ids, 1, header)
for i = at + 1, #tail do
  local e = tail[i]
  if less(above, e) and (under == '0' or less(e, under)) then ids[#ids + 1] = e end
end
return ids
`
