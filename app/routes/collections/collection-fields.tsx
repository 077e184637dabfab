import { SelectField, TextArea, TextField } from '#app/components/form/field.tsx'
import { FormError } from '#app/components/form/form-error.tsx'
import type { RefusedForm } from '#app/components/form/issues.ts'
import { visibilityOptions } from '#app/components/list/badges.tsx'

export interface CollectionFieldsProps {
  saved: { name: string; notes: string; visibility: string }
  /** What was sent when it was refused. */
  given: Record<string, string> | undefined
  refused: RefusedForm | undefined
}

/** What a collection is called, what it is about, and who sees it. */
export function CollectionFields({ saved, given, refused }: CollectionFieldsProps) {
  return (
    <>
      <FormError refused={refused} names={['name', 'notes', 'visibility']} />
      <TextField
        label="Name"
        name="name"
        required
        maxLength={200}
        defaultValue={given?.name ?? saved.name}
        refused={refused}
      />
      <TextArea
        label="Notes"
        name="notes"
        hint="What its insights have in common."
        maxLength={10_000}
        defaultValue={given?.notes ?? saved.notes}
        refused={refused}
      />
      <SelectField
        label="Visibility"
        name="visibility"
        options={visibilityOptions}
        defaultValue={given?.visibility ?? saved.visibility}
        refused={refused}
      />
    </>
  )
}
