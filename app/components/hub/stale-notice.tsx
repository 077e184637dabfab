import { words } from './words.ts'

/** Says that the page shows an older snapshot, with its date; nothing when the page is current (no date). */
export function StaleNotice({ date, locale }: { date?: string; locale: string }) {
  if (!date) return null
  return (
    <p className="notice is-warning" role="status">
      {words(locale).stale(date)}
    </p>
  )
}
