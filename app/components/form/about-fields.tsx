import { SelectField, TextArea, TextField } from './field.tsx'
import { visibilityOptions } from '../list/badges.tsx'

/** Inputs for name, notes and visibility. `hint`: what the notes are for. */
export function AboutFields({ hint, rows }: { hint: string; rows?: number }) {
  return (
    <>
      <TextField label="Name" name="name" required maxLength={200} />
      <TextArea label="Notes" name="notes" hint={hint} maxLength={10_000} {...(rows && { rows })} />
      <SelectField label="Visibility" name="visibility" options={visibilityOptions} />
    </>
  )
}

/** The names of those inputs. */
export const aboutNames = ['name', 'notes', 'visibility'] as const
