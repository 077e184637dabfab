import { Building2, Globe, Lock } from 'lucide-react'
import type { Option } from '../form/field.tsx'
import type { ListFilter } from './list-query.ts'

export type Visibility = 'public' | 'place' | 'private'

const levels: Record<Visibility, { label: string; who: string; Icon: typeof Globe }> = {
  public: { label: 'Public', who: 'Everyone sees it', Icon: Globe },
  place: { label: 'Organization', who: 'The people of this organization see it', Icon: Building2 },
  private: { label: 'Private', who: 'Only you and admins see it', Icon: Lock },
}

/** The visibility levels from public to private, each with label and audience. */
export const visibilityLevels = (Object.keys(levels) as Visibility[]).map((value) => ({
  value,
  label: levels[value].label,
  hint: levels[value].who,
}))
/** The levels as options of a form. */
export const visibilityOptions: Option[] = Object.entries(levels).map(([value, { label, who }]) => ({
  value,
  label: `${label}: ${who[0]?.toLowerCase() ?? ''}${who.slice(1)}`,
}))
/** The visibility filter of lists. */
export const visibilityFilter: ListFilter = {
  label: 'Visibility',
  options: Object.entries(levels).map(([value, { label }]) => ({ value, label })),
}

/** A badge with the visibility of a thing. */
export function VisibilityBadge({ visibility }: { visibility: Visibility }) {
  const { label, who, Icon } = levels[visibility]
  return (
    <span className={visibility === 'public' ? 'badge is-info' : 'badge'} title={who}>
      <Icon size={13} strokeWidth={1.75} aria-hidden="true" />
      {label}
    </span>
  )
}

/** A badge with the publication state of a page. */
export function PublishBadge({ publish }: { publish: 'draft' | 'published' }) {
  return publish === 'published' ? (
    <span className="badge is-success">Published</span>
  ) : (
    <span className="badge">Draft</span>
  )
}

/** The names of page types. */
export const pageTypeNames: Record<string, string> = {
  storytelling: 'Story',
  blank: 'Page',
  dashboard: 'Dashboard',
}
