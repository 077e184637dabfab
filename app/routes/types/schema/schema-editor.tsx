import { useEffect, useMemo, useRef, useState } from 'react'
import type { FormErrors } from '#app/components/form/issues.ts'
import { SelectField } from '#app/components/form/field.tsx'
import {
  toTypeDocument,
  toTypeDraft,
  emptyField,
  getRenamedKeys,
  type FieldDraft,
  type TypeDocument,
  type TypeDraft,
} from '#app/components/schema/draft.ts'
import { draftIssues } from './draft-issues.ts'
import { FieldForm } from './field-form.tsx'
import { FieldList } from './field-list.tsx'
import { issuesBelow, levelAt, withLevel } from './level.ts'
import { LiveExample } from './live-example.tsx'
import { SchemaJson } from './schema-json.tsx'
import { DraftField } from '#app/components/form/draft-field.tsx'

export interface SchemaEditorProps {
  document: TypeDocument
  isNew: boolean
  errors: FormErrors | undefined
  onChange?(json: string, canBeSaved: boolean): void
}

/** A document as submitted by the form. */
type SavedDocument = TypeDocument & { renames?: Record<string, string> }

/** The state of a draft: the open level, the selected field, and functions that change them. */
function useSchemaDraft(document: TypeDocument, isNew: boolean) {
  const [draft, setDraft] = useState(() => toTypeDraft(document, isNew))
  const [openIds, setOpenIds] = useState<string[]>([])
  const [chosenId, setChosenId] = useState<string | null>(draft.fields[0]?.id ?? null)
  const storedKeys = useMemo(() => new Set(isNew ? [] : Object.keys(document.schema)), [document, isNew])
  const level = levelAt(draft.fields, openIds)
  const field = level.fields.find(({ id }) => id === chosenId)
  const updateFields = (change: (fields: FieldDraft[]) => FieldDraft[]) =>
    setDraft({
      ...draft,
      fields: withLevel(
        draft.fields,
        level.steps.map(({ id }) => id),
        change,
      ),
    })
  /** Replaces the document. Fields are matched to stored ones by key, or by their former key in `renames`. */
  const replace = ({ renames = {}, ...next }: SavedDocument) => {
    const nextDraft = toTypeDraft(next)
    const before = new Map(Object.entries(renames).map(([was, key]) => [key, was]))
    const findStoredKey = (key: string) => before.get(key) ?? (storedKeys.has(key) ? key : null)
    setDraft({
      ...nextDraft,
      fields: nextDraft.fields.map((each) => ({ ...each, was: findStoredKey(each.key) })),
    })
    setOpenIds([])
    setChosenId(nextDraft.fields[0]?.id ?? null)
  }
  const open = (ids: string[]) => {
    setOpenIds(ids)
    setChosenId(levelAt(draft.fields, ids).fields[0]?.id ?? null)
  }
  const add = () => {
    const newField = emptyField()
    updateFields((fields) => [...fields, newField])
    setChosenId(newField.id)
  }
  const remove = (id: string) => {
    const at = level.fields.findIndex((each) => each.id === id)
    updateFields((fields) => fields.filter((each) => each.id !== id))
    setChosenId(level.fields[at + 1]?.id ?? level.fields[at - 1]?.id ?? null)
  }
  return { draft, setDraft, level, field, setChosenId, updateFields, replace, open, add, remove }
}

/**
 * Edits the fields of a data type: the fields of one level as a list, the selected one as a form, and an
 * example record. Nested maps are opened like folders, at any depth.
 */
export default function SchemaEditor({ document, isNew, errors, onChange }: SchemaEditorProps) {
  const schema = useSchemaDraft(document, isNew)
  const { draft, setDraft, level, field, setChosenId, updateFields, replace, open } = schema
  const own = useMemo(() => draftIssues(draft), [draft])
  const issues = useMemo(() => [...own, ...(errors?.issues ?? [])], [own, errors])
  const edited = useMemo(() => toTypeDocument(draft), [draft])
  const json = JSON.stringify({ ...edited, renames: getRenamedKeys(draft) })
  const canBeSaved = own.length === 0
  const lastJson = useRef(json)
  useEffect(() => {
    if (lastJson.current === json) return
    lastJson.current = json
    onChange?.(json, canBeSaved)
  }, [json, canBeSaved, onChange])

  return (
    <div className="schema">
      <DraftField
        name="document"
        value={json}
        onRestore={(draftJson) => replace(JSON.parse(draftJson) as SavedDocument)}
      />
      <div className="schema-editor">
        <section className="schema-side" aria-label="Fields">
          <LevelPath steps={level.steps} onOpen={open} />
          <FieldList
            fields={level.fields}
            selectedKey={field?.id ?? null}
            primary={draft.primary}
            hasIssues={(key) => issuesBelow(issues, [...level.path, key]).length > 0}
            onChoose={setChosenId}
            onChange={(fields) => updateFields(() => fields)}
          />
          <button type="button" className="button" onClick={schema.add}>
            Add a field
          </button>
        </section>
        <section className="schema-main" aria-label="The chosen field">
          {field ? (
            <FieldForm
              key={field.id}
              field={field}
              path={[...level.path, field.key]}
              issues={issues}
              beside={level.fields}
              isTop={level.steps.length === 0}
              onChange={(next) =>
                updateFields((fields) => fields.map((each) => (each.id === next.id ? next : each)))
              }
              onOpen={() => open([...level.steps.map(({ id }) => id), field.id])}
              onRemove={() => schema.remove(field.id)}
            />
          ) : (
            <p className="muted">
              {level.fields.length
                ? 'Choose a field to change it.'
                : 'A field says what a record holds: a name, a date, a number, a place on the map.'}
            </p>
          )}
        </section>
      </div>
      <MainDate {...{ draft, errors }} onChange={(primary) => setDraft({ ...draft, primary })} />
      {canBeSaved ? null : (
        <p className="field-error" role="status">
          {own.length === 1 ? 'One thing is' : `${own.length} things are`} not right yet: the marked fields
          say what.
        </p>
      )}
      <SchemaJson document={edited} onChange={replace} />
      <LiveExample schema={edited.schema} canBeTried={canBeSaved} />
    </div>
  )
}

interface MainDateProps {
  draft: TypeDraft
  errors: FormErrors | undefined
  onChange(primary: string | null): void
}

function MainDate({ draft, errors, onChange }: MainDateProps) {
  const dates = draft.fields.filter(({ type, key }) => type === 'date' && key !== '')
  return (
    <SelectField
      label="Main date"
      name="primary"
      form=""
      hint="Records are ordered by it, and time charts begin with it."
      options={[
        { value: '', label: 'None' },
        ...dates.map(({ id, name, key }) => ({ value: id, label: name || key })),
      ]}
      value={dates.some(({ id }) => id === draft.primary) ? (draft.primary ?? '') : ''}
      onChange={(event) => onChange(event.target.value || null)}
      disabled={dates.length === 0}
      errors={errors}
    />
  )
}

function LevelPath({
  steps,
  onOpen,
}: {
  steps: { id: string; name: string }[]
  onOpen(ids: string[]): void
}) {
  if (!steps.length) return null
  const ids = steps.map(({ id }) => id)
  return (
    <nav className="crumbs" aria-label="Opened maps">
      <ol>
        <li>
          <button type="button" className="button is-quiet is-small" onClick={() => onOpen([])}>
            Record
          </button>
        </li>
        {steps.map(({ id, name }, i) => (
          <li key={id}>
            <button
              type="button"
              className="button is-quiet is-small"
              aria-current={i === steps.length - 1 ? 'location' : undefined}
              onClick={() => onOpen(ids.slice(0, i + 1))}
            >
              {name}
            </button>
          </li>
        ))}
      </ol>
    </nav>
  )
}
