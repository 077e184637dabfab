import { ChevronRight, GripVertical } from 'lucide-react'
import { Button, GridList, GridListItem, useDragAndDrop } from 'react-aria-components'
import { fieldTypes } from '#functions/shapes/field.ts'
import { droppedAt } from '#app/components/insight/reorder.ts'
import { innermost, type FieldDraft } from '#app/components/schema/draft.ts'

export interface FieldListProps {
  fields: FieldDraft[]
  /** The id of the field with the open form. */
  selectedKey: string | null
  /** The id of the main date. */
  primary: string | null
  hasIssues(key: string): boolean
  onChoose(id: string): void
  onChange(fields: FieldDraft[]): void
}

/**
 * The fields of one level in order. They are reordered by drag and drop, or by keyboard on a field's handle.
 */
export function FieldList({ fields, selectedKey, primary, hasIssues, onChoose, onChange }: FieldListProps) {
  const { dragAndDropHooks } = useDragAndDrop({
    getItems: (keys) => [...keys].map((key) => ({ 'text/plain': String(key) })),
    onReorder: ({ keys, target }) => {
      if (target.dropPosition === 'on') return
      const ids = fields.map(({ id }) => id)
      const to = { id: String(target.key), where: target.dropPosition }
      const order = droppedAt(ids, new Set([...keys].map(String)), to)
      onChange(order.flatMap((id) => fields.find((field) => field.id === id) ?? []))
    },
  })
  return (
    <GridList
      className="schema-list"
      aria-label="Fields in their order"
      items={fields}
      // Rerenders the rows when these change, besides their own item.
      dependencies={[primary, hasIssues]}
      keyboardNavigationBehavior="tab"
      selectionMode="single"
      selectionBehavior="replace"
      disallowEmptySelection
      selectedKeys={selectedKey === null ? [] : [selectedKey]}
      onSelectionChange={(keys) => {
        const [key] = keys === 'all' ? [] : keys
        if (key !== undefined) onChoose(String(key))
      }}
      dragAndDropHooks={dragAndDropHooks}
      renderEmptyState={() => <p className="muted schema-none">No fields yet.</p>}
    >
      {(field) => {
        const name = field.name || field.key || 'New field'
        const inner = innermost(field)
        return (
          <GridListItem id={field.id} textValue={name} className="schema-row">
            <Button slot="drag" className="schema-grip" aria-label={`Move ${name}`}>
              <GripVertical size={16} aria-hidden="true" />
            </Button>
            <span className="schema-row-name truncate">
              {name}
              {field.rules.required === true ? <span title="Required"> *</span> : null}
            </span>
            {hasIssues(field.key) ? <span className="badge is-danger">Not right</span> : null}
            {field.id === primary && field.type === 'date' ? <span className="badge">Main date</span> : null}
            <span className="muted schema-row-type truncate">{fieldTypes[field.type]}</span>
            {inner.type === 'object' ? <ChevronRight size={14} aria-hidden="true" /> : null}
          </GridListItem>
        )
      }}
    </GridList>
  )
}
