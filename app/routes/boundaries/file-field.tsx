import { TextField } from '#app/components/form/field.tsx'

const endings = '.geojson,.json,.topojson,.kml,.kmz,.gpkg,.fgb,.parquet,.zip'

/** The input for a file of areas. */
export function FileField() {
  return (
    <TextField
      label="File"
      name="file"
      type="file"
      accept={endings}
      required
      hint="GeoJSON, TopoJSON, KML, KMZ, GeoPackage, FlatGeobuf, GeoParquet, or a zip with a Shapefile; in any common coordinate system. 25 MB and a million corners at most."
    />
  )
}

/** The submitted file; empty if none was chosen. */
export function fileIn(form: FormData): { file?: File } {
  const file = form.get('file')
  return file instanceof File && file.size > 0 ? { file } : {}
}
