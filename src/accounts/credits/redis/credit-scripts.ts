import { WINDOW_HOURS } from '../../../domain/accounts/spending-window.ts';
import { HOUR } from '../../../domain/primitives/time.ts';
import { createScript } from '../../../platform/redis-connection.ts';

/** Later than any real time, in milliseconds. */
export const NEVER = 1e15;

/**
 * The keys of one account, under one hash tag:
 * - STATE: a hash with the state of its ledger. `run`: the run id of the server that it was written to, since a
 * restarted server may have lost the last changes; `terms`: the digest of the terms it was written for; `dueAt`: until
 * when nothing is due; `plan` and `bought`: credits left; `declined` and `url`: invoices; `capped`: sum of CAPS;
 * `held`: sum of HOLDS; `overdue`: 1 if expired credits are still held: they are due as soon as not all credits are
 * held
 * - HOLDS: `ID:CREDITS` of calls in flight, scored by expiry. The id of a key with a cap ends with `/kKEY`
 * - PENDING: `ID:CREDITS` of charges that are in STATE and on their way to the log, scored by expiry
 * - CAPS: `MILLISECONDS:CREDITS` of charges that count for the plan's daily cap, one entry for each second
 * - KEYCAPS: `MILLISECONDS:KEY:CREDITS` of charges that count for the daily cap of a key; `key:KEY` of STATE is their sum
 * - LOCK: the token of the process that writes STATE anew from the log
 *
 * A script answers `stale` if STATE is not valid. Leases use the server's clock; credits do too, unless the caller
 * gives a time.
 */
const SHARED = `
local STATE, HOLDS, PENDING, CAPS, KEYCAPS, LOCK = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5], KEYS[6]
local run = ARGV[1]
local clock = redis.call('TIME')
local real = clock[1] * 1000 + math.floor(clock[2] / 1000)
local at = tonumber(ARGV[2]) or real
local DAY = ${WINDOW_HOURS * HOUR}
local function text(number) return string.format('%.15g', number) end
local function creditsOf(member) return tonumber(string.match(member, ':([^:]*)$')) end
local function keyOf(member) return string.match(member, '^[^:]*:([^:]*):') end
local function keyOfHold(id) return string.match(id, '/k(%d+)$') end
local function spentBy(key) return tonumber(redis.call('HGET', STATE, 'key:' .. key) or 0) end
local function addSpent(key, credits)
  local sum = spentBy(key) + credits
  if sum > 0 then redis.call('HSET', STATE, 'key:' .. key, text(sum)) else redis.call('HDEL', STATE, 'key:' .. key) end
end
local state
-- Only the log tells whether an expired charge was recorded.
local function read()
  if #redis.call('ZRANGEBYSCORE', PENDING, '-inf', text(real), 'LIMIT', 0, 1) > 0 then
    redis.call('ZREMRANGEBYSCORE', PENDING, '-inf', text(real))
    redis.call('HDEL', STATE, 'run')
    return false
  end
  local f = redis.call('HMGET', STATE, 'run', 'terms', 'dueAt', 'plan', 'bought', 'declined', 'url', 'capped', 'held',
    'overdue')
  if f[1] ~= run then return false end
  state = {
    terms = f[2], dueAt = tonumber(f[3]), plan = tonumber(f[4]), bought = tonumber(f[5]),
    declined = tonumber(f[6]), url = f[7], capped = tonumber(f[8]), held = tonumber(f[9]),
    overdue = tonumber(f[10]),
  }
  local lapsed = redis.call('ZRANGEBYSCORE', HOLDS, '-inf', text(real))
  for _, member in ipairs(lapsed) do
    redis.call('ZREM', HOLDS, member)
    state.held = state.held - creditsOf(member)
  end
  local gone = redis.call('ZRANGEBYSCORE', CAPS, '-inf', text(at - DAY))
  for _, member in ipairs(gone) do
    redis.call('ZREM', CAPS, member)
    state.capped = state.capped - creditsOf(member)
  end
  local goneOfKeys = redis.call('ZRANGEBYSCORE', KEYCAPS, '-inf', text(at - DAY))
  for _, member in ipairs(goneOfKeys) do
    redis.call('ZREM', KEYCAPS, member)
    addSpent(keyOf(member), -creditsOf(member))
  end
  return true
end
local function write()
  redis.call('HSET', STATE, 'plan', text(state.plan), 'bought', text(state.bought), 'capped', text(state.capped),
    'held', text(state.held))
end
local function isDue()
  return at >= state.dueAt or (state.overdue == 1 and state.plan + state.bought > state.held)
end
local function roomOf(cap) return cap and math.max(0, cap - state.capped) or math.huge end
local function spendable(cap) return math.min(state.plan, roomOf(cap)) + state.bought end
-- By calls of this key that are in flight.
local function heldBy(key)
  local held = 0
  for _, member in ipairs(redis.call('ZRANGE', HOLDS, 0, -1)) do
    if string.match(member, '/k(%d+):[^:]*$') == key then held = held + creditsOf(member) end
  end
  return held
end
local function heldInAll()
  redis.call('ZREMRANGEBYSCORE', HOLDS, '-inf', text(real))
  local held = 0
  for _, member in ipairs(redis.call('ZRANGE', HOLDS, 0, -1)) do held = held + creditsOf(member) end
  return held
end
`;

/**
 * Reserves credits for calls in order: no call overtakes one that waits. ARGV: run, time or '', terms, cap or '', 1 if
 * credits are unlimited, lease, then for each call: id, maximum cost, cap of its key or ''. Who waits for the cap of a
 * key lets the calls of other keys pass.
 */
export const RESERVE = createScript(`${SHARED}
if redis.call('EXISTS', LOCK) == 1 then return {'busy'} end
if not read() or state.terms ~= ARGV[3] or isDue() then return {'stale'} end
local cap, unlimited, lease = tonumber(ARGV[4]), ARGV[5] == '1', tonumber(ARGV[6])
-- When what this key has spent (of CAPS: all keys) falls to a sum.
local function fallsTo(set, sum, most, key)
  if most < 0 then return '' end
  if sum <= most then return text(at) end
  for first = 0, math.huge, 1000 do
    local members = redis.call('ZRANGE', set, first, first + 999, 'WITHSCORES')
    if #members == 0 then return text(at) end
    for index = 1, #members, 2 do
      if not key or keyOf(members[index]) == key then
        sum = sum - creditsOf(members[index])
        if sum <= most then return text(tonumber(members[index + 1]) + DAY) end
      end
    end
  end
end
local function refusal(most)
  if state.declined >= 2 then return {'payment_failed', state.url} end
  if unlimited then return nil end
  local left = state.plan + state.bought
  if left < most then return {'insufficient_credits', text(left)} end
  if not cap or spendable(cap) >= most then return nil end
  return {'daily_credit_cap_exceeded', fallsTo(CAPS, state.capped, cap - (most - state.bought))}
end
local function keyRefusal(key, keyCap, most)
  local spent = spentBy(key)
  if spent + most <= keyCap then return nil end
  return {'credit_cap_exceeded', fallsTo(KEYCAPS, spent, keyCap - most, key)}
end
local waits = false
local full = {}
local answers = {}
for index = 7, #ARGV, 3 do
  local id, most, keyCap = ARGV[index], tonumber(ARGV[index + 1]), tonumber(ARGV[index + 2])
  local key = keyCap and keyOfHold(id)
  local answer = refusal(most) or (key and keyRefusal(key, keyCap, most))
  if not answer then
    if waits or not (unlimited or spendable(cap) - state.held >= most) then
      waits = true
      answer = {'waits'}
    elseif key and (full[key] or spentBy(key) + heldBy(key) + most > keyCap) then
      full[key] = true
      answer = {'waits'}
    else
      answer = {'held'}
      if key or not unlimited then
        state.held = state.held + most
        redis.call('ZADD', HOLDS, text(real + lease), id .. ':' .. text(most))
      end
    end
  end
  answers[#answers + 1] = answer
end
write()
redis.call('PEXPIRE', HOLDS, 3600000)
return {'ok', answers}
`);

/**
 * Charges a call's cost and ends its hold. It takes the plan's credits first, up to the cap, then bought ones. If the
 * hold has expired, the charge succeeds only if the credits are still free. ARGV: run, time or '', cap or '', lease,
 * hold id, held credits, cost, 1 if credits are unlimited, cap of the key or ''.
 */
export const SETTLE = createScript(`${SHARED}
if redis.call('EXISTS', LOCK) == 1 then return {'busy'} end
if not read() then return {'stale'} end
local cap, lease, id, most, cost = tonumber(ARGV[3]), tonumber(ARGV[4]), ARGV[5], tonumber(ARGV[6]), tonumber(ARGV[7])
local unlimited, keyCap = ARGV[8] == '1', tonumber(ARGV[9])
local key = keyCap and keyOfHold(id)
local function isFree()
  if not unlimited and spendable(cap) - state.held < cost then return false end
  return not key or spentBy(key) + heldBy(key) + cost <= keyCap
end
if redis.call('ZREM', HOLDS, id .. ':' .. text(most)) == 1 then
  state.held = state.held - most
elseif cost > 0 and not isFree() then
  write()
  return {'lapsed'}
end
-- As addKeySpending has it.
local function spend()
  local width = redis.call('ZCARD', KEYCAPS) < 5000 and 1000 or 60000
  local from = math.floor(at / width) * width
  local sum, latest = cost, at
  for _, member in ipairs(redis.call('ZRANGEBYSCORE', KEYCAPS, text(from), text(from + width - 1))) do
    if keyOf(member) == key then
      redis.call('ZREM', KEYCAPS, member)
      sum = sum + creditsOf(member)
      latest = math.max(latest, tonumber(string.match(member, '^[^:]*')))
    end
  end
  redis.call('ZADD', KEYCAPS, text(latest), text(latest) .. ':' .. key .. ':' .. text(sum))
  redis.call('PEXPIRE', KEYCAPS, 2 * DAY)
  addSpent(key, cost)
end
local fromPlan = 0
if cost > 0 and key then spend() end
if cost > 0 and unlimited then fromPlan = cost end
if cost > 0 and not unlimited then
  fromPlan = math.max(math.min(cost, state.plan, roomOf(cap)), cost - state.bought)
  state.plan = state.plan - fromPlan
  state.bought = state.bought - (cost - fromPlan)
  if cap and fromPlan > 0 then
    state.capped = state.capped + fromPlan
    local second = math.floor(at / 1000) * 1000
    local sum, latest = fromPlan, at
    for _, member in ipairs(redis.call('ZRANGEBYSCORE', CAPS, text(second), text(second + 999))) do
      redis.call('ZREM', CAPS, member)
      sum = sum + creditsOf(member)
      latest = math.max(latest, tonumber(string.match(member, '^[^:]*')))
    end
    redis.call('ZADD', CAPS, text(latest), text(latest) .. ':' .. text(sum))
  end
end
if cost > 0 then
  redis.call('ZADD', PENDING, text(real + lease), id .. ':' .. text(cost))
  redis.call('PEXPIRE', PENDING, 3600000)
end
write()
redis.call('PEXPIRE', STATE, 2 * DAY)
redis.call('PEXPIRE', CAPS, 2 * DAY)
return {'ok', text(cost - fromPlan), text(state.plan + state.bought), text(at)}
`);

/** ARGV: run, '', hold id, held credits. */
export const RELEASE_HOLD = createScript(`${SHARED}
local isKnown = read()
if redis.call('ZREM', HOLDS, ARGV[3] .. ':' .. text(tonumber(ARGV[4]))) == 1 and isKnown then
  state.held = state.held - tonumber(ARGV[4])
end
if isKnown then write() end
`);

/** A charge is in the log. ARGV: run, '', charge id, credits. */
export const CONFIRM_CHARGE = createScript(`${SHARED}
redis.call('ZREM', PENDING, ARGV[3] .. ':' .. text(tonumber(ARGV[4])))
`);

/** The log does not have a charge, or this is unknown. ARGV: run, '', 1 if it is known, charge id, credits. */
export const DISCARD_CHARGE = createScript(`${SHARED}
redis.call('HDEL', STATE, 'run')
if ARGV[3] == '1' then redis.call('ZREM', PENDING, ARGV[4] .. ':' .. text(tonumber(ARGV[5]))) end
`);

/** Extends the leases that have not expired. ARGV: run, '', lease, then for each: 'hold' or 'charge', id, credits. */
export const RENEW_HOLDS = createScript(`${SHARED}
for index = 4, #ARGV, 3 do
  local name = ARGV[index] == 'hold' and HOLDS or PENDING
  redis.call('ZADD', name, 'XX', text(real + tonumber(ARGV[3])), ARGV[index + 1] .. ':' .. text(tonumber(ARGV[index + 2])))
end
`);

/** ARGV: run, time or '', terms. */
export const READ_REMAINING = createScript(`${SHARED}
if redis.call('EXISTS', LOCK) == 1 then return {'busy'} end
if not read() or state.terms ~= ARGV[3] or isDue() then return {'stale'} end
write()
return {'ok', text(state.plan + state.bought)}
`);

/** Locks the account: nothing is reserved or settled from here on. ARGV: run, '', token, lock time. */
export const ACQUIRE_LOCK = createScript(`${SHARED}
return redis.call('SET', LOCK, ARGV[3], 'NX', 'PX', ARGV[4]) and 1 or 0
`);

/** Returns the number of charges on their way, the held credits and the time. ARGV: run, time or '', token. */
export const READ_UNDER_LOCK = createScript(`${SHARED}
if redis.call('GET', LOCK) ~= ARGV[3] then return {'lost'} end
redis.call('ZREMRANGEBYSCORE', PENDING, '-inf', text(real))
return {'ok', redis.call('ZCARD', PENDING), text(heldInAll()), text(at)}
`);

/**
 * Writes the state, and unlocks. ARGV: run, '', token, terms, due at, plan, bought, declined, url, overdue, number of
 * cap entries, for each of them: milliseconds, credits; then for each charge of a key with a cap: milliseconds, key,
 * credits.
 */
export const INSTALL_STATE = createScript(`${SHARED}
if redis.call('GET', LOCK) ~= ARGV[3] then return 0 end
redis.call('DEL', STATE, CAPS, KEYCAPS, LOCK)
local capped = 0
local ofKeys = 12 + 2 * tonumber(ARGV[11])
for index = 12, ofKeys - 1, 2 do
  capped = capped + tonumber(ARGV[index + 1])
  redis.call('ZADD', CAPS, ARGV[index], ARGV[index] .. ':' .. ARGV[index + 1])
end
redis.call('HSET', STATE, 'run', run, 'terms', ARGV[4], 'dueAt', ARGV[5], 'plan', ARGV[6], 'bought', ARGV[7],
  'declined', ARGV[8], 'url', ARGV[9], 'overdue', ARGV[10], 'capped', text(capped), 'held', text(heldInAll()))
for index = ofKeys, #ARGV, 3 do
  redis.call('ZADD', KEYCAPS, ARGV[index], ARGV[index] .. ':' .. ARGV[index + 1] .. ':' .. ARGV[index + 2])
  addSpent(ARGV[index + 1], tonumber(ARGV[index + 2]))
end
redis.call('PEXPIRE', STATE, 2 * DAY)
redis.call('PEXPIRE', CAPS, 2 * DAY)
redis.call('PEXPIRE', KEYCAPS, 2 * DAY)
return 1
`);

/** ARGV: run, '', token. */
export const RELEASE_LOCK = createScript(`${SHARED}
if redis.call('GET', LOCK) == ARGV[3] then redis.call('DEL', LOCK) end
`);

/** How long the server's process has been known, in milliseconds. KEYS: the marker of the process. */
export const SERVER_PROCESS_AGE = createScript(`
local clock = redis.call('TIME')
local real = clock[1] * 1000 + math.floor(clock[2] / 1000)
redis.call('SET', KEYS[1], string.format('%.15g', real), 'NX', 'PX', 30 * 86400000)
return real - tonumber(redis.call('GET', KEYS[1]))
`);
