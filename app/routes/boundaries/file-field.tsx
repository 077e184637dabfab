import { SelectField, TextField } from '#app/components/form/field.tsx'
import type { NewEdition } from '#functions/shapes/boundary-set.ts'

const endings = '.geojson,.json,.topojson,.kml,.kmz,.gpkg,.fgb,.parquet,.zip'

/** The names of the inputs for a file of areas. */
export const fileNames = ['file', 'axes']

/** The order of the coordinates, by the value of its input; '' is to be found. */
const axes = [
  { value: '', label: 'Find out' },
  { value: 'asRead', label: 'As in the file' },
  { value: 'swapped', label: 'Latitude first: swap them' },
]

/** The inputs for a file of areas. */
export function FileFields() {
  return (
    <>
      <TextField
        label="File"
        name="file"
        type="file"
        accept={endings}
        required
        hint="GeoJSON, TopoJSON, KML, KMZ, GeoPackage, FlatGeobuf, GeoParquet, or a zip with a Shapefile; in any common coordinate system. 25 MB and a million corners at most."
      />
      <SelectField
        label="Order of the coordinates"
        name="axes"
        options={axes}
        hint="Longitude stands first in most files. Where the areas would lie far from your other data they are swapped, and you are told."
      />
    </>
  )
}

/** The submitted file with the chosen order of its coordinates; without a file that was not chosen. */
export function fileIn(form: FormData): NewEdition {
  const file = form.get('file')
  const order = form.get('axes')
  return {
    ...(file instanceof File && file.size > 0 ? { file } : {}),
    ...(order === 'asRead' || order === 'swapped' ? { axes: order } : {}),
  }
}
