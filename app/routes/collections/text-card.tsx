import { RichText } from '#app/components/hub/rich-text.tsx'
import { EntryCard } from './entry-card.tsx'

export interface TextCardProps {
  name: string
  /** Cleaned by the server when it was written. */
  html: string
  to: string
}

/** A text among the insights of a collection, whole. */
export function TextCard({ name, html, to }: TextCardProps) {
  return (
    <EntryCard name={name} to={to}>
      {html ? <RichText html={html} /> : <p className="muted">Nothing is written here yet.</p>}
    </EntryCard>
  )
}
