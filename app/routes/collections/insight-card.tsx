import { ShownInsight, type InsightView } from '#app/components/insight/shown-insight.tsx'
import { EntryCard } from './entry-card.tsx'

export interface InsightCardProps {
  name: string
  notes: string
  to: string
  /** Null: it is named only. */
  view: InsightView | null
}

/** An insight among others: its name and its picture. */
export function InsightCard({ name, notes, to, view }: InsightCardProps) {
  return (
    <EntryCard name={name} to={to}>
      {view ? <ShownInsight view={asCard(view)} /> : null}
      {notes ? <p className="muted">{notes}</p> : null}
    </EntryCard>
  )
}

/** On a card the picture is enough: its title stands above it, its table on its own screen. */
function asCard(shown: InsightView): InsightView {
  if (shown.kind === 'number') return { ...shown, number: { ...shown.number, label: '' } }
  const { table: _table, note: _note, ...figure } = shown.figure
  return { ...shown, figure: { ...figure, variant: 'plain' } }
}
