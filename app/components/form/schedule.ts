/** A schedule in everyday terms. Times are local to the place. */
export type Plan =
  | { every: 'onData' }
  | { every: 'hour'; minute: number }
  | { every: 'day' | 'weekday'; hour: number; minute: number }
  | { every: 'week'; weekday: number; hour: number; minute: number }
  | { every: 'month'; day: number; hour: number; minute: number }
  | { every: 'custom'; cron: string }

export const weekdays = [
  'Sunday',
  'Monday',
  'Tuesday',
  'Wednesday',
  'Thursday',
  'Friday',
  'Saturday',
] as const

const isWhole = (text: string | undefined, most: number): text is string =>
  text !== undefined && /^\d{1,2}$/.test(text) && Number(text) <= most

/** Parses a schedule: `onData`, or five fields of cron. Anything else is `custom`. */
export function parseSchedule(schedule: string): Plan {
  if (schedule === 'onData') return { every: 'onData' }
  const custom: Plan = { every: 'custom', cron: schedule }
  const [m, h, day, month, weekday, ...more] = (nicknames[schedule.trim()] ?? schedule).trim().split(/\s+/)
  if (more.length || month !== '*' || !isWhole(m, 59)) return custom
  const minute = Number(m)
  const isAny = day === '*' && weekday === '*'
  if (h === '*') return isAny ? { every: 'hour', minute } : custom
  if (!isWhole(h, 23)) return custom
  const at = { hour: Number(h), minute }
  if (isAny) return { every: 'day', ...at }
  if (day === '*' && weekday === '1-5') return { every: 'weekday', ...at }
  if (day === '*' && isWhole(weekday, 7)) return { every: 'week', weekday: Number(weekday) % 7, ...at }
  const isDay = weekday === '*' && isWhole(day, 31) && Number(day) > 0
  return isDay ? { every: 'month', day: Number(day), ...at } : custom
}

const nicknames: Record<string, string> = {
  '@hourly': '0 * * * *',
  '@daily': '0 0 * * *',
  '@midnight': '0 0 * * *',
  '@weekly': '0 0 * * 0',
  '@monthly': '0 0 1 * *',
}

/** Serializes a plan for the API. */
export function toSchedule(plan: Plan): string {
  switch (plan.every) {
    case 'onData':
      return 'onData'
    case 'hour':
      return `${plan.minute} * * * *`
    case 'day':
      return `${plan.minute} ${plan.hour} * * *`
    case 'weekday':
      return `${plan.minute} ${plan.hour} * * 1-5`
    case 'week':
      return `${plan.minute} ${plan.hour} * * ${plan.weekday}`
    case 'month':
      return `${plan.minute} ${plan.hour} ${plan.day} * *`
    case 'custom':
      return plan.cron
  }
}

/** A plan of another kind with the time of the previous one. */
export function changePlan(every: Plan['every'], before: Plan): Plan {
  const hour = 'hour' in before ? before.hour : 6
  const minute = 'minute' in before ? before.minute : 0
  switch (every) {
    case 'onData':
      return { every }
    case 'hour':
      return { every, minute }
    case 'day':
    case 'weekday':
      return { every, hour, minute }
    case 'week':
      return { every, weekday: 1, hour, minute }
    case 'month':
      return { every, day: 1, hour, minute }
    case 'custom':
      return { every, cron: before.every === 'onData' ? `${minute} ${hour} * * *` : toSchedule(before) }
  }
}

/** A schedule in words with its time zone: `every Monday at 06:00, Europe/Paris`; cron for a custom one. */
export function describeSchedule(schedule: string, timeZone: string): string {
  const plan = parseSchedule(schedule)
  return plan.every === 'onData' ? planWords(plan) : `${planWords(plan)}, ${timeZone}`
}

function planWords(plan: Plan): string {
  switch (plan.every) {
    case 'onData':
      return 'whenever the data change'
    case 'hour':
      return plan.minute ? `every hour, ${plan.minute} minutes past` : 'every hour'
    case 'day':
      return `every day at ${formatTime(plan)}`
    case 'weekday':
      return `Monday to Friday at ${formatTime(plan)}`
    case 'week':
      return `every ${weekdays[plan.weekday]} at ${formatTime(plan)}`
    case 'month':
      return `on day ${plan.day} of each month at ${formatTime(plan)}`
    case 'custom':
      return `by “${plan.cron}”`
  }
}

/** Formats the time of a plan: `06:05`. */
export function formatTime({ hour, minute }: { hour: number; minute: number }): string {
  return `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`
}
