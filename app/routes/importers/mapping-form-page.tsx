import type { ReactNode } from 'react'
import { EditForm } from '#app/components/form/edit-form.tsx'
import { SelectField, TextField } from '#app/components/form/field.tsx'
import { SubmitButton } from '#app/components/form/submit-button.tsx'
import { moveSetIssues, setInputs } from '#app/components/importer/mapping-form.ts'
import {
  MappingFields,
  getWordsByColumn,
  type MappingFieldsProps,
} from '#app/components/importer/mapping-fields.tsx'
import { TrialRows } from '#app/components/importer/trial-rows.tsx'
import type { TrialResult } from '#app/components/importer/trial.ts'

/** The write modes as options. */
export const modeOptions = [
  { value: 'upsert', label: 'Replace records of the same id, keep the others' },
  { value: 'replace', label: 'Replace all records: what is gone there goes here' },
  { value: 'append', label: 'Only add' },
]

export interface MappingPageProps extends Omit<MappingFieldsProps, 'rows' | 'words'> {
  name: string
  mode: string
  sources: object[]
  trialResult: TrialResult | null
}

/** The mapping form of a new importer: name, mapping, and its result. */
export function MappingPage({
  name,
  mode,
  sources,
  trialResult,
  ...fieldProps
}: MappingPageProps): ReactNode {
  const fields = Object.entries(fieldProps.schema).map(([key, field]) => ({ key, name: field.name }))
  return (
    <EditForm
      thing="importer/new fields"
      title="The fields of a new importer"
      className="stack"
      preventScrollReset
      names={['name', ...setInputs(fieldProps.schema)]}
      place={moveSetIssues}
      save={{ intent: 'make', label: 'Check all rows', doing: 'Making the importer…' }}
      intents={['try']}
      more={
        <SubmitButton intent="try" className="button" doing="Trying…">
          Show what comes out
        </SubmitButton>
      }
    >
      <input type="hidden" name="sources" value={JSON.stringify(sources)} />
      <div className="field-row">
        <TextField label="Name" name="name" required maxLength={200} defaultValue={name} />
        <SelectField label="Records that are there" name="mode" options={modeOptions} defaultValue={mode} />
      </div>
      <MappingFields
        {...fieldProps}
        rows={trialResult?.rows ?? []}
        words={trialResult ? getWordsByColumn(trialResult.guess) : {}}
      />
      {trialResult ? <TrialRows trialResult={trialResult} fields={fields} /> : null}
    </EditForm>
  )
}
