import { Tabs } from '../shell/tabs.tsx'

interface TypeTabsProps {
  id: string
  /** The person's permissions to see observers and to change the data type. */
  mayObserve: boolean
  mayModify: boolean
  /** Whether the place can query records of it: otherwise there are no observers and no files. */
  isAskable?: boolean
  /** The person's number of unread alerts of its observers. */
  unread?: number
}

/** The tabs of a data type. */
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
