import { SelectField, TextArea, TextField } from '#app/components/form/field.tsx'
import type { RefusedForm } from '#app/components/form/issues.ts'
import { visibilityOptions } from '#app/components/list/badges.tsx'

export interface Saved {
  /** Absent while it is to be made. */
  id?: string
  name: string
  notes: string
  visibility: string
  /** The version the form was made from; none for what is new. */
  version?: number
}

/** What an insight is called, what there is to say of it, and who sees it. */
export function SaveFields({ saved, refused }: { saved: Saved; refused: RefusedForm | undefined }) {
  return (
    <>
      {saved.version === undefined ? null : <input type="hidden" name="version" value={saved.version} />}
      <TextField
        label="Name"
        name="name"
        required
        maxLength={200}
        defaultValue={saved.name}
        refused={refused}
      />
      <TextArea
        label="Notes"
        name="notes"
        hint="What a reader should know of the figures."
        rows={3}
        maxLength={10_000}
        defaultValue={saved.notes}
        refused={refused}
      />
      <SelectField
        label="Visibility"
        name="visibility"
        options={visibilityOptions}
        defaultValue={saved.visibility}
        refused={refused}
      />
    </>
  )
}
