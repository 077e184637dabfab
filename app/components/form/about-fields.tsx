import { SelectField, TextArea, TextField } from './field.tsx'
import { visibilityOptions } from '../list/badges.tsx'

/** What a thing of a place is called, what there is to say of it, and who sees it. `hint`: what its notes are for. */
export function AboutFields({ hint, rows }: { hint: string; rows?: number }) {
  return (
    <>
      <TextField label="Name" name="name" required maxLength={200} />
      <TextArea label="Notes" name="notes" hint={hint} maxLength={10_000} {...(rows && { rows })} />
      <SelectField label="Visibility" name="visibility" options={visibilityOptions} />
    </>
  )
}

/** What those fields send. */
export const aboutNames = ['name', 'notes', 'visibility'] as const
