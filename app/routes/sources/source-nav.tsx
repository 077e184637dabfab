import { Link } from '@remix-run/react'
import type { SourceTab } from './source-tabs.ts'

const labels: Record<SourceTab | 'export', string> = {
  records: 'Records',
  map: 'Map',
  fields: 'Fields',
  importers: 'Importers',
  export: 'Export',
  settings: 'Settings',
}

export interface SourceNavProps {
  id: string
  current: SourceTab | 'export'
  /** Those that this person has. */
  tabs: SourceTab[]
}

/** The screens of a source, as links. */
export function SourceNav({ id, current, tabs }: SourceNavProps) {
  const at = `/sources/${id}`
  const before = tabs.filter((tab) => tab !== 'settings')
  const shown = [...before, 'export' as const, ...tabs.filter((tab) => tab === 'settings')]
  const to = (tab: SourceTab | 'export') =>
    tab === 'export' ? `${at}/export` : tab === 'records' ? at : `${at}?tab=${tab}`
  return (
    <nav className="tabs" aria-label="About this source">
      {shown.map((tab) => (
        <Link key={tab} to={to(tab)} aria-current={tab === current ? 'page' : undefined} prefetch="intent">
          {labels[tab]}
        </Link>
      ))}
    </nav>
  )
}
