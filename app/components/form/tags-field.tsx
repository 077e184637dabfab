import { TextField } from './field.tsx'

/** Words to find a thing by, in one line with commas between them. Hubs show those of sources only. */
export function TagsField() {
  return (
    <TextField
      label="Tags"
      name="tags"
      hint="Words to find it by, with commas between them. Hubs do not show them; whoever may see this may read them."
      maxLength={1040}
    />
  )
}
