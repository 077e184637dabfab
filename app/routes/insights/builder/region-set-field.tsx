import { SetField } from '#app/components/query/set-field.tsx'

interface RegionSetFieldProps {
  /** The set that is chosen; '': it is found from the values. */
  value: string
  onChange(id: string): void
}

/** Chooses what the regions of a map are. Sets of the place that are not public colour maps in the workspace only. */
export function RegionSetField({ value, onChange }: RegionSetFieldProps) {
  return (
    <SetField
      label="Regions of"
      none="Found from the values"
      whose="seen"
      value={value}
      onChange={(set) => onChange(set?.id ?? '')}
    />
  )
}
