import { ShownInsight, type InsightView } from '#app/components/insight/shown-insight.tsx'
import { EntryCard } from './entry-card.tsx'

export interface InsightCardProps {
  name: string
  notes: string
  to: string
  /** Null: only the name is shown. */
  view: InsightView | null
}

/** An insight in a collection: name and picture. */
export function InsightCard({ name, notes, to, view }: InsightCardProps) {
  return (
    <EntryCard name={name} to={to}>
      {view ? <ShownInsight view={asCard(view)} /> : null}
      {notes ? <p className="muted">{notes}</p> : null}
    </EntryCard>
  )
}

/** Without title and table, which are shown elsewhere. */
function asCard(view: InsightView): InsightView {
  if (view.kind === 'number') return { ...view, number: { ...view.number, label: '' } }
  const { table: _table, note: _note, ...figure } = view.figure
  return { ...view, figure: { ...figure, variant: 'plain' } }
}
