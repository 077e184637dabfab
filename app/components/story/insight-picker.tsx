import {
  Autocomplete,
  Button,
  Dialog,
  DialogTrigger,
  Input,
  Menu,
  MenuItem,
  Modal,
  ModalOverlay,
  SearchField,
  Text,
} from 'react-aria-components'
import { DialogHead } from '../shell/dialog-head.tsx'

export interface InsightChoice {
  id: string
  name: string
  notes: string
  /** The type of its visualization. */
  type: string
}

const contains = (name: string, text: string) => name.toLowerCase().includes(text.trim().toLowerCase())

interface InsightPickerProps {
  insights: InsightChoice[]
  onPick(id: string): void
  /** The label of its button. */
  label?: string
  className?: string
}

/** The choice of an insight of the place by name. */
export function InsightPicker({
  insights,
  onPick,
  label = 'Insight…',
  className = 'button is-small',
}: InsightPickerProps) {
  return (
    <DialogTrigger>
      <Button className={className}>{label}</Button>
      <ModalOverlay className="overlay" isDismissable>
        <Modal className="dialog is-lg">
          <Dialog className="picker" aria-label="Choose an insight">
            {({ close }) => (
              <>
                <DialogHead>Choose an insight</DialogHead>
                <Autocomplete filter={contains}>
                  <SearchField className="picker-search" aria-label="Search insights" autoFocus>
                    <Input placeholder="Search insights" />
                  </SearchField>
                  <Menu
                    className="menu picker-list"
                    aria-label="Insights"
                    items={insights}
                    onAction={(key) => {
                      close()
                      onPick(String(key))
                    }}
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
              </>
            )}
          </Dialog>
        </Modal>
      </ModalOverlay>
    </DialogTrigger>
  )
}
