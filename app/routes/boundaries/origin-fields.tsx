import { TextField } from '#app/components/form/field.tsx'

/** Inputs for the origin of a set. */
export function OriginFields() {
  return (
    <>
      <TextField label="Source" name="origin" maxLength={500} hint="Who drew these boundaries." />
      <TextField label="Licence" name="licence" maxLength={200} />
      <TextField
        label="Date of the boundaries"
        name="vintage"
        maxLength={100}
        hint="Such as a year, or the date of a law."
      />
    </>
  )
}

/** The names of those inputs. */
export const originNames = ['origin', 'licence', 'vintage'] as const
