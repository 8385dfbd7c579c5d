import { createScript } from '../../platform/redis-connection.ts';
import { INHERITED_SLOTS, INHERITED_WINDOWS, OWNER_LEASE_MS, WINDOW_MS } from './limits.ts';

/**
 * Keys, below a prefix:
 * - `alive:OWNER`: end of this owner's lease, in milliseconds. It is kept much longer than that, so that a missing one
 * shows that the server lost its data.
 * - `window:KIND:KEY`: calls of a key by their times
 * - `places:KIND:KEY`: calls in flight, each `OWNER|NUMBER|KEY`; KEY is the key that made the call
 * - `heirs:KIND:KEY`: keys that inherited slots of this one
 *
 * Times are those of the server's clock, unless the caller passes a time; then all its calls must.
 */
const SHARED = `
local prefix, at = ARGV[1], tonumber(ARGV[2])
if not at then
  local time = redis.call('TIME')
  at = time[1] * 1000 + math.floor(time[2] / 1000)
end
local KEPT = 3600000
local function livesUntil(owner) return tonumber(redis.call('GET', prefix .. 'alive:' .. owner)) end
local function sign(owner)
  redis.call('SET', prefix .. 'alive:' .. owner, string.format('%.0f', at + ${OWNER_LEASE_MS}), 'PX', KEPT)
end
local function window(kind, key) return prefix .. 'window:' .. kind .. ':' .. key end
local function places(kind, key) return prefix .. 'places:' .. kind .. ':' .. key end
local function heirs(kind, key) return prefix .. 'heirs:' .. kind .. ':' .. key end
local function leave(name) redis.call('ZREMRANGEBYSCORE', name, '-inf', string.format('%.0f', at - ${WINDOW_MS})) end
local function resetAt(name)
  local oldest = redis.call('ZRANGE', name, 0, 0, 'WITHSCORES')[2]
  return (tonumber(oldest) or at) + ${WINDOW_MS}
end
-- Which of its names an owner goes by from here on: one that was taken for dead begins anew.
local function own(name, nextName)
  local lives = livesUntil(name)
  if not lives then sign(name) return name, 'lost' end
  if lives > at then return name, 'known' end
  sign(nextName)
  return nextName, 'dead'
end
`;

/** ARGV: prefix, time or '', owner, owner's next name, number, key, then for each rule: kind, limit, maximum. */
export const ADMIT = createScript(`${SHARED}
local owner, state = own(ARGV[3], ARGV[4])
local key = ARGV[6]
local member = owner .. '|' .. ARGV[5] .. '|' .. key
local counted, reset = -1, 0
local taken = {}
local living = {}
local function isDead(one)
  local name = string.match(one, '^(.*)|%d+|[^|]*$')
  if living[name] == nil then living[name] = (livesUntil(name) or 0) > at end
  return not living[name]
end
local function refused(rule)
  for _, one in ipairs(taken) do redis.call(one[1], one[2], member) end
  for _, one in ipairs(taken) do
    if one[1] == 'ZREM' then counted, reset = redis.call('ZCARD', one[2]), resetAt(one[2]) end
  end
  return {state, owner, rule, counted, reset, at}
end
for first = 7, #ARGV, 3 do
  local kind, most = ARGV[first + 1], tonumber(ARGV[first + 2])
  local rule = (first - 7) / 3
  if ARGV[first] == 'window' then
    local name = window(kind, key)
    leave(name)
    counted = redis.call('ZCARD', name)
    if counted >= most then
      reset = resetAt(name)
      return refused(rule)
    end
    redis.call('ZADD', name, string.format('%.0f', at), member)
    redis.call('PEXPIRE', name, ${WINDOW_MS} + 1000)
    counted, reset = counted + 1, resetAt(name)
    taken[#taken + 1] = {'ZREM', name}
  else
    local name = places(kind, key)
    if redis.call('SCARD', name) >= most then
      for _, one in ipairs(redis.call('SMEMBERS', name)) do
        if isDead(one) then redis.call('SREM', name, one) end
      end
      if redis.call('SCARD', name) >= most then return refused(rule) end
    end
    redis.call('SADD', name, member)
    redis.call('PEXPIRE', name, KEPT)
    taken[#taken + 1] = {'SREM', name}
  end
end
return {state, owner, -1, counted, reset, at}
`);

/** ARGV: prefix, time of the call, limit, key, member. */
export const UNCOUNT = createScript(`${SHARED}
local name = window(ARGV[3], ARGV[4])
redis.call('ZREM', name, ARGV[5])
leave(name)
return {redis.call('ZCARD', name), resetAt(name)}
`);

/** ARGV: prefix, '', limit, key, member. Frees the slot for the keys that inherited it, too. */
export const RELEASE = createScript(`${SHARED}
local kind, member = ARGV[3], ARGV[5]
local seen = {}
local function free(key)
  if seen[key] then return end
  seen[key] = true
  redis.call('SREM', places(kind, key), member)
  for _, heir in ipairs(redis.call('SMEMBERS', heirs(kind, key))) do free(heir) end
end
free(ARGV[4])
`);

const listed = (names: readonly string[]): string => names.map((name) => `'${name}'`).join(', ');

/** ARGV: prefix, time or '', the new key, its creator, revoked keys. */
export const INHERIT = createScript(`${SHARED}
local new, maker = ARGV[3], ARGV[4]
for _, kind in ipairs({${listed(INHERITED_WINDOWS)}}) do
  local fullest, most
  for index = 4, #ARGV do
    local name = window(kind, ARGV[index])
    leave(name)
    local count = redis.call('ZCARD', name)
    if not most or count > most then fullest, most = name, count end
  end
  redis.call('ZUNIONSTORE', window(kind, new), 1, fullest)
  redis.call('PEXPIRE', window(kind, new), ${WINDOW_MS} + 1000)
end
for _, kind in ipairs({${listed(INHERITED_SLOTS)}}) do
  local name = places(kind, new)
  for _, one in ipairs(redis.call('SMEMBERS', name)) do
    if string.match(one, '|([^|]*)$') ~= new then redis.call('SREM', name, one) end
  end
  redis.call('SUNIONSTORE', name, name, places(kind, maker))
  redis.call('PEXPIRE', name, KEPT)
  redis.call('SADD', heirs(kind, maker), new)
  redis.call('PEXPIRE', heirs(kind, maker), KEPT)
end
`);

/** ARGV: prefix, time or '', owner, owner's next name. */
export const RENEW = createScript(`${SHARED}
local owner, state = own(ARGV[3], ARGV[4])
sign(owner)
return {state, owner}
`);

/** Adds slots without any check. ARGV: prefix, '', then for each slot: limit, key, member. */
export const REACQUIRE = createScript(`${SHARED}
for first = 3, #ARGV, 3 do
  local name = places(ARGV[first], ARGV[first + 1])
  redis.call('SADD', name, ARGV[first + 2])
  redis.call('PEXPIRE', name, KEPT)
end
`);
