import { useContext } from 'react'
import { TimeZone } from './time-zone.ts'

/** A day in the time zone of the screen, which server and browser know alike where there is a place. Null: never. */
export function Day({ date, never = 'never' }: { date: Date | string | null; never?: string }) {
  const timeZone = useContext(TimeZone)
  if (date === null) return <>{never}</>
  const moment = new Date(date)
  const format = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short', year: 'numeric', timeZone })
  return (
    <time dateTime={moment.toISOString()} className="num">
      {format.format(moment)}
    </time>
  )
}

/** A day with its time, in the time zone of the place; null: never. */
export function Moment({ date, never = 'never' }: { date: Date | string | null; never?: string }) {
  const timeZone = useContext(TimeZone)
  if (date === null) return <>{never}</>
  const moment = new Date(date)
  const format = new Intl.DateTimeFormat('en', {
    ...{ day: 'numeric', month: 'short', year: 'numeric' },
    ...{ hour: '2-digit', minute: '2-digit', hourCycle: 'h23', timeZone },
  })
  return (
    <time dateTime={moment.toISOString()} className="num">
      {format.format(moment)}
    </time>
  )
}

/** The time of a day that is near, in the time zone of the screen. */
export function Clock({ date }: { date: Date | string }) {
  const timeZone = useContext(TimeZone)
  const moment = new Date(date)
  const format = new Intl.DateTimeFormat('en', {
    ...{ hour: '2-digit', minute: '2-digit', hourCycle: 'h23', timeZone },
  })
  return (
    <time dateTime={moment.toISOString()} className="num">
      {format.format(moment)}
    </time>
  )
}

/** A whole number with its separators. */
export function Count({ n }: { n: number }) {
  return <span className="num">{n.toLocaleString('en')}</span>
}
