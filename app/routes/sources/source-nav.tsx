import { Tabs } from '#app/components/shell/tabs.tsx'
import { addressOfTab, type SourceTab } from './source-tabs.ts'

const labels: Record<SourceTab, string> = {
  records: 'Records',
  map: 'Map',
  fields: 'Fields',
  importers: 'Importers',
  export: 'Export',
  settings: 'Settings',
}

export interface SourceNavProps {
  id: string
  /** The tabs that this person may open. */
  tabs: SourceTab[]
}

/** The tabs of a source. */
export function SourceNav({ id, tabs }: SourceNavProps) {
  return (
    <Tabs
      label="About this source"
      tabs={tabs.map((tab) => ({ to: addressOfTab(id, tab), label: labels[tab] }))}
    />
  )
}
