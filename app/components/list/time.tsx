import { useContext } from 'react'
import { dateFormat, type DateForm } from './date-format.ts'
import { DateLocale, TimeZone } from './time-zone.ts'

/** A day in the time zone of the screen, which server and browser know alike where there is a place. Null: never. */
export function Day({ date, never = 'never' }: { date: Date | string | null; never?: string }) {
  return date === null ? <>{never}</> : <Time date={date} form="day" />
}

/** A day with its time, in the time zone of the place; null: never. */
export function Moment({ date, never = 'never' }: { date: Date | string | null; never?: string }) {
  return date === null ? <>{never}</> : <Time date={date} form="moment" />
}

/** The time of a day that is near, in the time zone of the screen; with seconds where `isExact`. */
export function Clock({ date, isExact = false }: { date: Date | string; isExact?: boolean }) {
  return <Time date={date} form={isExact ? 'seconds' : 'clock'} />
}

/**
 * A moment in the reader's own form. Programs read `datetime`. The browser may know newer words for the same moment than the server; what
 * the server wrote stays then.
 */
function Time({ date, form }: { date: Date | string; form: DateForm }) {
  const timeZone = useContext(TimeZone)
  const locale = useContext(DateLocale)
  const moment = new Date(date)
  return (
    <time dateTime={moment.toISOString()} className="num" lang={languageOf(locale)} suppressHydrationWarning>
      {dateFormat(form, locale, timeZone).format(moment)}
    </time>
  )
}

/** The language of a date where it is another than that of the screen. */
export const languageOf = (locale: string): string | undefined => (/^en\b/i.test(locale) ? undefined : locale)

/** A whole number with its separators. */
export function Count({ n }: { n: number }) {
  return <span className="num">{n.toLocaleString('en')}</span>
}
