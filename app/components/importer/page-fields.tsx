import { useState } from 'react'
import { SelectField, TextArea, TextField } from '../form/field.tsx'
import type { FormErrors } from '../form/issues.ts'
import {
  pageTextsByKind,
  sourceInput,
  type PageKind,
  type PageText,
  type ShownSource,
} from './remote-source.ts'

const kinds: { value: PageKind; label: string }[] = [
  { value: '', label: 'Everything in one response' },
  { value: 'page', label: 'Page by page, by a number' },
  { value: 'offset', label: 'Page by page, by rows to skip' },
  { value: 'next', label: 'Each answer names the address of the next' },
]

const labels: Record<PageText, { label: string; hint: string; isNumber?: boolean }> = {
  pageParam: { label: 'Parameter of the page', hint: 'Such as page.' },
  offsetParam: { label: 'Parameter of rows to skip', hint: 'Such as offset.' },
  nextPageSelector: {
    label: 'Where the next address stands',
    hint: 'A path in the JSON, such as links.next. Several are tried, each on a line of its own.',
  },
  limitParam: { label: 'Parameter of rows a page', hint: 'Such as limit; may be empty.' },
  limit: { label: 'Rows a page', hint: 'At most 50,000.', isNumber: true },
  startPage: { label: 'Number of the first page', hint: '0 when left empty.', isNumber: true },
}
const order = Object.keys(labels) as PageText[]

/** The pagination of a source: its kind, and the inputs of that kind. */
export function PageFields({ source, errors }: { source: ShownSource; errors: FormErrors | undefined }) {
  const { id, pageKind, pages } = source
  const [kind, setKind] = useState(pageKind)
  return (
    <fieldset className="request-part">
      <legend>Pages</legend>
      <SelectField
        label="Pagination"
        name={sourceInput(id, 'pagination')}
        options={kinds}
        defaultValue={pageKind}
        onChange={(event) => setKind(event.currentTarget.value as PageKind)}
        errors={errors}
      />
      <div className="field-row">
        {order.map((name) => {
          const { isNumber, ...text } = labels[name]
          const common = {
            ...text,
            name: sourceInput(id, 'pagination', name),
            defaultValue: pages[name],
            errors,
          }
          return (
            <div key={name} className={pageTextsByKind[kind].includes(name) ? undefined : 'is-unchosen'}>
              {name === 'nextPageSelector' ? (
                <TextArea {...common} rows={2} spellCheck={false} autoCapitalize="none" />
              ) : (
                <TextField
                  {...common}
                  inputMode={isNumber ? 'numeric' : undefined}
                  autoComplete="off"
                  autoCapitalize="none"
                  spellCheck={false}
                />
              )}
            </div>
          )
        })}
      </div>
    </fieldset>
  )
}
