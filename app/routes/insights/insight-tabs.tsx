import { Tabs } from '#app/components/shell/tabs.tsx'

/** The tabs of an insight. */
export function InsightTabs({ id, mayModify }: { id: string; mayModify: boolean }) {
  const url = `/insights/${id}`
  return (
    <Tabs
      label="Insight"
      tabs={[
        { to: url, label: 'Answer' },
        { to: `${url}/sharing`, label: 'Sharing' },
        ...(mayModify ? [{ to: `${url}/modify`, label: 'Modify' }] : []),
      ]}
    />
  )
}
