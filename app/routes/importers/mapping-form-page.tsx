import type { ReactNode } from 'react'
import { SelectField, TextField } from '#app/components/form/field.tsx'
import { FormError } from '#app/components/form/form-error.tsx'
import type { RefusedForm } from '#app/components/form/issues.ts'
import { SubmitButton } from '#app/components/form/submit-button.tsx'
import { MappingFields, type MappingFieldsProps } from '#app/components/importer/mapping-fields.tsx'
import { TriedRows } from '#app/components/importer/tried-rows.tsx'
import type { TrialResult } from '#app/components/importer/tried.ts'
import { KeptForm } from '#app/components/form/kept-form.tsx'

/** What becomes of records that are there, as choices. */
export const modeOptions = [
  { value: 'upsert', label: 'Replace records of the same id, keep the others' },
  { value: 'replace', label: 'Replace all records: what is gone there goes here' },
  { value: 'append', label: 'Only add' },
]

export interface MappingPageProps extends Omit<MappingFieldsProps, 'rows'> {
  name: string
  mode: string
  sources: object[]
  tried: TrialResult | null
  refused: RefusedForm | undefined
}

/** The form of fields where an importer is made: its name, what its fields are made of, and what comes out. */
export function MappingPage({ name, mode, sources, tried, refused, ...mapped }: MappingPageProps): ReactNode {
  const fields = Object.entries(mapped.schema).map(([key, field]) => ({ key, name: field.name }))
  return (
    <KeptForm
      thing="importer/new fields"
      title="The fields of a new importer"
      className="stack"
      preventScrollReset
    >
      <FormError refused={refused} names={['name']} />
      <input type="hidden" name="sources" value={JSON.stringify(sources)} />
      <div className="field-row">
        <TextField label="Name" name="name" required maxLength={200} defaultValue={name} refused={refused} />
        <SelectField label="Records that are there" name="mode" options={modeOptions} defaultValue={mode} />
      </div>
      <MappingFields {...mapped} rows={tried?.rows ?? []} />
      {tried ? <TriedRows tried={tried} fields={fields} /> : null}
      <div className="form-actions">
        <SubmitButton intent="make" doing="Making the importer…">
          Check all rows
        </SubmitButton>
        <SubmitButton intent="try" className="button" doing="Trying…">
          Show what comes out
        </SubmitButton>
      </div>
    </KeptForm>
  )
}
