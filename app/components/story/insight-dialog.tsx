import { Menu, MenuItem, Text } from 'react-aria-components'
import { MenuSearch } from '../shell/menu-search.tsx'
import OpenDialog from '../shell/open-dialog.tsx'
import type { InsightChoice } from './insight-picker.tsx'

interface InsightDialogProps {
  insights: InsightChoice[]
  onPick(id: string): void
  onClose(): void
}

/** The open dialog of `InsightPicker`: the insights of a place with a search box above them. */
export default function InsightDialog({ insights, onPick, onClose }: InsightDialogProps) {
  return (
    <OpenDialog title="Choose an insight" size="lg" onClose={onClose}>
      <MenuSearch label="Search insights">
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
      </MenuSearch>
    </OpenDialog>
  )
}
