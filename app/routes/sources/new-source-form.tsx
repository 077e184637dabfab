import { TextField } from '#app/components/form/field.tsx'
import { FormError } from '#app/components/form/form-error.tsx'
import { SubmitButton } from '#app/components/form/submit-button.tsx'
import { TrialRows } from '#app/components/importer/trial-rows.tsx'
import type { TrialResult } from '#app/components/importer/trial.ts'
import { TypeChoice, type TypeChoiceProps } from './type-choice.tsx'
import { fieldInput } from '#app/components/importer/type-form.ts'
import { DraftForm } from '#app/components/form/draft-form.tsx'
import { decodePercents } from '#functions/shapes/percent-encoding.ts'

/** How the rows of a new source are read. `url` is set only if they come from a URL. */
export interface NewSourceReading {
  label: string
  url?: string
  parser: string
  zip: string
  selector: string
  headerRows: string
  leaveOut: string
}

export interface NewSourceFieldsProps extends Pick<
  TypeChoiceProps,
  'dataTypes' | 'wantedTypeId' | 'mayMakeType' | 'errors'
> {
  /** The name of the file or URL that the rows come from. */
  label: string
  trialResult: TrialResult
  /** The submitted values after an error. */
  formValues: Record<string, string>
  /** Whether the source was created and waits for its file. */
  isWaiting: boolean
}

export interface NewSourceFormProps extends Omit<NewSourceFieldsProps, 'label'> {
  of: NewSourceReading
}

/** The form that creates a source from a trial read: its name, its data type, and a check of all rows. */
export function NewSourceForm({ of, ...fields }: NewSourceFormProps) {
  return (
    <DraftForm
      thing="source/new"
      title="A new source"
      className="stack"
      aria-disabled={fields.isWaiting || undefined}
    >
      <FormError errors={fields.errors} names={newSourceInputs(fields.trialResult)} />
      <input type="hidden" name="url" value={of.url ?? ''} />
      <input type="hidden" name="parser" value={of.parser} />
      <input type="hidden" name="zip" value={of.zip} />
      <input type="hidden" name="selector" value={of.selector} />
      <input type="hidden" name="headerRows" value={of.headerRows} />
      <input type="hidden" name="leaveOut" value={of.leaveOut} />
      <NewSourceFields label={of.label} {...fields} />
    </DraftForm>
  )
}

/** The names of the inputs that show an error of these fields. */
export const newSourceInputs = ({ guess }: TrialResult) => [
  ...['name', 'typeName'],
  ...Object.keys(guess.schema).map((key) => fieldInput(key, 'name')),
]

/**
 * The inputs for the source's name and data type, the trial rows, and the submit button. How the rows are
 * read is sent by the form around them.
 */
export function NewSourceFields({
  label,
  trialResult,
  dataTypes,
  wantedTypeId,
  mayMakeType,
  errors,
  formValues,
  isWaiting,
}: NewSourceFieldsProps) {
  const name = formValues.name ?? toSourceName(label)
  const fields = Object.entries(trialResult.guess.schema).map(([key, field]) => ({ key, name: field.name }))
  return (
    <>
      <input type="hidden" name="guess" value={JSON.stringify(trialResult.guess)} />
      <input type="hidden" name="madeTypeId" value={formValues.madeTypeId ?? ''} />
      <input type="hidden" name="madeSourceId" value={formValues.madeSourceId ?? ''} />
      <div className="form">
        <TextField
          label="Name of the source"
          name="name"
          required
          maxLength={200}
          defaultValue={name}
          hint="As people will find it: what, where, from whom."
          errors={errors}
        />
      </div>
      <TypeChoice
        {...{ trialResult, dataTypes, wantedTypeId, mayMakeType, errors }}
        name={formValues.typeName ?? name}
      />
      <TrialRows trialResult={trialResult} fields={fields} />
      {isWaiting ? null : (
        <div className="form-actions">
          <SubmitButton intent="make" doing="Making the source…">
            Check all rows
          </SubmitButton>
          <p className="muted">
            Makes the source and reads everything. Records come in when you have seen what would happen.
          </p>
        </div>
      )}
    </>
  )
}

/** The ending of a file name, with that of the archived file before it. */
const endings = /(?:\.[a-z][a-z0-9]{1,7})?\.(?:zip|gz)$|\.[a-z0-9]{1,8}$/i

/**
 * Derives a name: "street_trees-2026.csv" and "street_trees-2026.csv.zip" give "Street trees 2026"; of a URL the last part
 * of its path is used.
 */
export function toSourceName(label: string): string {
  const path = label.replace(/[?#].*$/, '').replace(/\/+$/, '')
  const last = path.slice(path.lastIndexOf('/') + 1).replace(endings, '')
  const words = (decodePercents(last) ?? last).replace(/[_\-+.\s]+/g, ' ').trim()
  return (words.charAt(0).toUpperCase() + words.slice(1)).slice(0, 200) || 'New source'
}
