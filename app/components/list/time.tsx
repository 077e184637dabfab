import { formatNumber } from './number-format.ts'
import { useContext } from 'react'
import { dateFormat, type DateForm } from './date-format.ts'
import { DateLocale, TimeZone } from './time-zone.ts'

/** A date in the time zone of the screen. Null: never. */
export function Day({ date, never = 'never' }: { date: Date | string | null; never?: string }) {
  return date === null ? <>{never}</> : <Time date={date} form="day" />
}

/** Date and time in the time zone of the screen; null: never. */
export function Moment({ date, never = 'never' }: { date: Date | string | null; never?: string }) {
  return date === null ? <>{never}</> : <Time date={date} form="moment" />
}

/** The time of day in the time zone of the screen; with seconds if `isExact`. */
export function Clock({ date, isExact = false }: { date: Date | string; isExact?: boolean }) {
  return <Time date={date} form={isExact ? 'seconds' : 'clock'} />
}

/**
 * A moment formatted for the reader, with a machine-readable `datetime`. Hydration differences are ignored, as browser and server may
 * have other locale data.
 */
function Time({ date, form }: { date: Date | string; form: DateForm }) {
  const timeZone = useContext(TimeZone)
  const locale = useContext(DateLocale)
  const moment = new Date(date)
  return (
    <time
      dateTime={moment.toISOString()}
      className="num"
      lang={findDateLanguage(locale)}
      suppressHydrationWarning
    >
      {dateFormat(form, locale, timeZone).format(moment)}
    </time>
  )
}

/** The language of a date if it differs from the screen's. */
export const findDateLanguage = (locale: string): string | undefined =>
  /^en\b/i.test(locale) ? undefined : locale

/** A whole number with separators. */
export function Count({ n }: { n: number }) {
  return <span className="num">{formatNumber(n)}</span>
}
