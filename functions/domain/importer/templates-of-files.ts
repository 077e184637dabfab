import { address, nightly, type Template } from './template.ts'

/** Files at an address, by format. */
export const fileTemplates: Template[] = [
  {
    id: 'csv',
    name: 'CSV file',
    notes: 'A table with a header row; columns go to the fields of their names.',
    importer: {
      schedule: nightly,
      sources: [{ url: 'https://example.com/data.csv', parser: 'csv' }],
    },
    fill: [address('Where the file is.')],
  },
  {
    id: 'csv-points',
    name: 'CSV file with coordinates',
    notes: 'A table whose rows have a longitude and a latitude.',
    importer: {
      schedule: nightly,
      sources: [{ url: 'https://example.com/places.csv', parser: 'csv' }],
      mapping: {
        id: { field: 'id', defaultValue: { transform: 'guid', arguments: [{ field: 'name' }] } },
        name: { transform: 'capitalizeWords', arguments: [{ field: 'name' }] },
        location: { transform: 'createPoint', arguments: [{ field: 'longitude' }, { field: 'latitude' }] },
      },
    },
    fill: [
      address('Where the file is.'),
      {
        path: ['mapping', 'location', 'arguments'],
        label: 'Columns',
        notes: 'Those with longitude and latitude.',
      },
    ],
  },
  {
    id: 'excel',
    name: 'Excel workbook',
    notes: 'The rows of a sheet, or of all sheets.',
    importer: {
      schedule: nightly,
      sources: [
        {
          url: 'https://example.com/data.xlsx',
          parser: 'excel',
          parserOptions: { selector: '*' },
        },
      ],
    },
    fill: [
      address('Where the workbook is.'),
      {
        path: ['sources', 0, 'parserOptions', 'selector'],
        label: 'Sheets',
        notes: 'Their names; * for all.',
      },
    ],
  },
  {
    id: 'json',
    name: 'JSON of any service',
    notes: 'Rows wherever they are in an answer, page by page if there is an address of the next one.',
    importer: {
      schedule: nightly,
      sources: [
        {
          url: 'https://example.com/api/items',
          parser: 'json',
          parserOptions: { selector: 'data.*' },
          pagination: { nextPageSelector: 'links.next' },
        },
      ],
    },
    fill: [
      address('The address of the first page.'),
      {
        path: ['sources', 0, 'parserOptions', 'selector'],
        label: 'Rows',
        notes: 'The path to the rows, such as data.*',
      },
    ],
  },
  {
    id: 'geojson',
    name: 'GeoJSON file',
    notes: 'Each feature is a record.',
    importer: {
      schedule: nightly,
      sources: [{ url: 'https://example.com/data.geojson', parser: 'geojson' }],
      mapping: { name: { field: 'properties.name' }, location: { field: 'geometry' } },
    },
    fill: [address('Where the file is.')],
  },
  {
    id: 'shapefile',
    name: 'Shapefile',
    notes: 'A zipped Shapefile of areas, simplified to about ten metres.',
    importer: {
      schedule: null,
      mode: 'replace',
      sources: [{ url: 'https://example.com/areas.zip', parser: 'shp' }],
      mapping: {
        name: { field: 'properties.NAME' },
        area: {
          transform: 'simplifyGeometry',
          arguments: [{ transform: 'ensureMulti', arguments: [{ field: 'geometry' }] }, 10],
        },
      },
    },
    fill: [address('Where the zip file is.')],
  },
  {
    id: 'kml',
    name: 'KML file',
    notes: 'Each placemark is a record.',
    importer: {
      schedule: null,
      sources: [{ url: 'https://example.com/places.kml', parser: 'kml' }],
      mapping: { name: { field: 'properties.name' }, location: { field: 'geometry' } },
    },
    fill: [address('Where the file is.')],
  },
]
