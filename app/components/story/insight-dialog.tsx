import {
  Autocomplete,
  Dialog,
  Input,
  Menu,
  MenuItem,
  Modal,
  ModalOverlay,
  SearchField,
  Text,
} from 'react-aria-components'
import { DialogHead } from '../shell/dialog-head.tsx'
import type { InsightChoice } from './insight-picker.tsx'

const contains = (name: string, text: string) => name.toLowerCase().includes(text.trim().toLowerCase())

interface InsightDialogProps {
  insights: InsightChoice[]
  onPick(id: string): void
  onClose(): void
}

/** The open dialog of `InsightPicker`. */
export default function InsightDialog({ insights, onPick, onClose }: InsightDialogProps) {
  return (
    <ModalOverlay className="overlay" isOpen isDismissable onOpenChange={(isOpen) => isOpen || onClose()}>
      <Modal className="dialog is-lg">
        <Dialog className="picker" aria-label="Choose an insight">
          <DialogHead>Choose an insight</DialogHead>
          <InsightList insights={insights} onPick={onPick} />
        </Dialog>
      </Modal>
    </ModalOverlay>
  )
}

/** The insights of a place with a search box above them. */
function InsightList({ insights, onPick }: Omit<InsightDialogProps, 'onClose'>) {
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
