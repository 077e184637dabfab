import { Building2, Globe, Lock } from 'lucide-react'
import type { Option } from '../form/field.tsx'
import type { ListFilter } from './list-query.ts'

export type Visibility = 'public' | 'place' | 'private'

const levels: Record<Visibility, { label: string; who: string; Icon: typeof Globe }> = {
  public: { label: 'Public', who: 'Everyone sees it', Icon: Globe },
  place: { label: 'Organization', who: 'The people of this organization see it', Icon: Building2 },
  private: { label: 'Private', who: 'Only you and admins see it', Icon: Lock },
}

/** The levels from open to closed, each with what it is called and who sees what has it. */
export const visibilityLevels = (Object.keys(levels) as Visibility[]).map((value) => ({
  value,
  label: levels[value].label,
  hint: levels[value].who,
}))
/** The levels as choices of a form, from open to closed. */
export const visibilityOptions: Option[] = Object.entries(levels).map(([value, { label, who }]) => ({
  value,
  label: `${label}: ${who[0]?.toLowerCase() ?? ''}${who.slice(1)}`,
}))
/** The filter of lists by who sees their things. */
export const visibilityFilter: ListFilter = {
  label: 'Visibility',
  options: Object.entries(levels).map(([value, { label }]) => ({ value, label })),
}

/** Who sees a thing, as a sign with its word. */
export function VisibilityBadge({ visibility }: { visibility: Visibility }) {
  const { label, who, Icon } = levels[visibility]
  return (
    <span className={visibility === 'public' ? 'badge is-info' : 'badge'} title={who}>
      <Icon size={13} strokeWidth={1.75} aria-hidden="true" />
      {label}
    </span>
  )
}

/** Whether readers have a page already. */
export function PublishBadge({ publish }: { publish: 'draft' | 'published' }) {
  return publish === 'published' ? (
    <span className="badge is-success">Published</span>
  ) : (
    <span className="badge">Draft</span>
  )
}

/** What a page is, in the words of the screen. */
export const pageTypeNames: Record<string, string> = {
  storytelling: 'Story',
  blank: 'Page',
  dashboard: 'Dashboard',
}
