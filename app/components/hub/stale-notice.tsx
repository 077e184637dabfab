import { hubTexts } from './texts.ts'

/** A notice that the page shows an older snapshot, with its date; nothing without a date. */
export function StaleNotice({ date, locale }: { date?: string; locale: string }) {
  if (!date) return null
  return (
    <p className="notice is-warning" role="status">
      {hubTexts(locale).stale(date)}
    </p>
  )
}
