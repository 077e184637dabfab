import { Autocomplete, Input, Menu, MenuItem, SearchField, Text } from 'react-aria-components'
import type { InsightChoice } from './insight-picker.tsx'

const contains = (name: string, text: string) => name.toLowerCase().includes(text.trim().toLowerCase())

interface InsightListProps {
  insights: InsightChoice[]
  onPick(id: string): void
}

/** The insights of a place with a search box above them. */
export function InsightList({ insights, onPick }: InsightListProps) {
  return (
    <Autocomplete filter={contains}>
      <SearchField className="picker-search" aria-label="Search insights" autoFocus>
        <Input placeholder="Search insights" />
      </SearchField>
      <Menu
        className="menu picker-list"
        aria-label="Insights"
        items={insights}
        onAction={(key) => onPick(String(key))}
        renderEmptyState={() => <p className="menu-label">No results!</p>}
      >
        {({ id, name, notes, type }) => (
          <MenuItem id={id} textValue={name} className="menu-item picker-item">
            <Text slot="label" className="grow">
              {name}
            </Text>
            <span className="badge">{type}</span>
            {notes ? (
              <Text slot="description" className="list-note truncate">
                {notes}
              </Text>
            ) : null}
          </MenuItem>
        )}
      </Menu>
    </Autocomplete>
  )
}
