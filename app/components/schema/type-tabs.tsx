import { Tabs } from '../shell/tabs.tsx'

interface TypeTabsProps {
  id: string
  /** Whether the person may see observers, and change the data type. */
  mayObserve: boolean
  mayModify: boolean
  /** Whether the place may ask for records of it: without that there is nothing to observe and no file. */
  isAskable?: boolean
  /** Alerts of its observers that the person has not read. */
  unread?: number
}

/** The screens of a data type side by side. */
export function TypeTabs({ id, mayObserve, mayModify, isAskable = true, unread = 0 }: TypeTabsProps) {
  const url = `/types/${id}`
  return (
    <Tabs
      label="Data type"
      tabs={[
        { to: url, label: 'Type' },
        ...(mayObserve && isAskable
          ? [{ to: `${url}/observers`, label: unread ? `Observers (${unread} unread)` : 'Observers' }]
          : []),
        ...(isAskable ? [{ to: `${url}/export`, label: 'Export' }] : []),
        ...(mayModify ? [{ to: `${url}/modify`, label: 'Modify' }] : []),
      ]}
    />
  )
}
