import { RichText } from '#app/components/hub/rich-text.tsx'
import { EntryCard } from './entry-card.tsx'

export interface TextCardProps {
  name: string
  /** Sanitised by the server on save. */
  html: string
  to: string
}

/** A complete text in a collection. */
export function TextCard({ name, html, to }: TextCardProps) {
  return (
    <EntryCard name={name} to={to}>
      {html ? <RichText html={html} /> : <p className="muted">Nothing is written here yet.</p>}
    </EntryCard>
  )
}
