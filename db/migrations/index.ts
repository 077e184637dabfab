import type { Migration } from 'kysely'
import * as place from './0001_place.ts'
import * as user from './0002_user.ts'
import * as source from './0003_source.ts'
import * as story from './0004_story.ts'
import * as outbox from './0005_outbox.ts'
import * as access from './0006_access.ts'
import * as dataTable from './0007_data_table.ts'
import * as attempt from './0008_attempt.ts'
import * as people from './0009_people.ts'
import * as media from './0010_media.ts'
import * as importer from './0011_importer.ts'
import * as observer from './0012_observer.ts'
import * as usage from './0013_usage.ts'
import * as dataTypeChange from './0014_data_type_change.ts'
import * as fieldUse from './0015_field_use.ts'
import * as mapFacets from './0016_map_facets.ts'
import * as asked from './0017_asked.ts'
import * as importRun from './0018_import_run.ts'
import * as importerColumns from './0019_importer_columns.ts'
import * as observing from './0020_observing.ts'
import * as importDryRun from './0021_import_dry_run.ts'
import * as collectionText from './0022_collection_text.ts'
import * as hubUsage from './0023_hub_usage.ts'
import * as hostCertificate from './0024_host_certificate.ts'
import * as pageAndHub from './0025_page_and_hub.ts'
import * as hubLease from './0026_hub_lease.ts'
import * as importBatch from './0027_import_batch.ts'
import * as themePicture from './0028_theme_picture.ts'
import * as confirmation from './0029_confirmation.ts'
import * as dataTypeMove from './0030_data_type_move.ts'
import * as publishFailure from './0031_publish_failure.ts'
import * as hubBuild from './0032_hub_build.ts'
import * as secondFactor from './0038_second_factor.ts'
import * as keyScope from './0040_key_scope.ts'
import * as importTurns from './0042_import_turns.ts'
import * as storedBytes from './0043_stored_bytes.ts'
import * as forcedRowSecurity from './0045_forced_row_security.ts'
import * as emailTokens from './0047_email_tokens.ts'
import * as emailChange from './0049_email_change.ts'
import * as personActivity from './0051_person_activity.ts'
import * as knownDevice from './0052_known_device.ts'
import * as placeAccess from './0056_place_access.ts'
import * as singleSignOn from './0058_single_sign_on.ts'
import * as accountRowSecurity from './0059_account_row_security.ts'
import * as passkey from './0060_passkey.ts'
import * as superAdminReason from './0063_super_admin_reason.ts'
import * as dailyWork from './0064_daily_work.ts'
import * as purgedDataType from './0065_purged_data_type.ts'
import * as restoredHub from './0066_restored_hub.ts'
import * as calendarDates from './0067_calendar_dates.ts'
import * as fieldProfile from './0069_field_profile.ts'
import * as sourceMetadata from './0070_source_metadata.ts'
import * as placeContact from './0072_place_contact.ts'
import * as placeLanguages from './0073_place_languages.ts'
import * as errorReport from './0074_error_report.ts'
import * as translation from './0075_translation.ts'
import * as pageAuthor from './0076_page_author.ts'
import * as boundarySet from './0077_boundary_set.ts'
import * as regionColumn from './0078_region_column.ts'
import * as placeRequest from './0079_place_request.ts'
import * as setTiles from './0081_set_tiles.ts'
import * as closedPlace from './0082_closed_place.ts'
import * as placeArchive from './0083_place_archive.ts'
import * as notedRow from './0087_noted_row.ts'
import * as naturalOrder from './0088_natural_order.ts'
import * as dataVersions from './0090_data_versions.ts'
import * as customField from './0091_custom_field.ts'
import * as tags from './0092_tags.ts'
import * as placeSample from './0093_place_sample.ts'
import * as placeImport from './0094_place_import.ts'
import * as ownBoundary from './0095_own_boundary.ts'
import * as closedFiles from './0097_closed_files.ts'
import * as naturalOrderEverywhere from './0098_natural_order_everywhere.ts'
import * as toldRequests from './0099_told_requests.ts'
import * as builtInParents from './0100_built_in_parents.ts'
import * as builtInSet from './0101_built_in_set.ts'
import * as placeSearch from './0102_place_search.ts'

/** Every migration, in order. Never edit one that has landed: add the next. */
export const migrations: Record<string, Migration> = {
  '0001_place': place,
  '0002_user': user,
  '0003_source': source,
  '0004_story': story,
  '0005_outbox': outbox,
  '0006_access': access,
  '0007_data_table': dataTable,
  '0008_attempt': attempt,
  '0009_people': people,
  '0010_media': media,
  '0011_importer': importer,
  '0012_observer': observer,
  '0013_usage': usage,
  '0014_data_type_change': dataTypeChange,
  '0015_field_use': fieldUse,
  '0016_map_facets': mapFacets,
  '0017_asked': asked,
  '0018_import_run': importRun,
  '0019_importer_columns': importerColumns,
  '0020_observing': observing,
  '0021_import_dry_run': importDryRun,
  '0022_collection_text': collectionText,
  '0023_hub_usage': hubUsage,
  '0024_host_certificate': hostCertificate,
  '0025_page_and_hub': pageAndHub,
  '0026_hub_lease': hubLease,
  '0027_import_batch': importBatch,
  '0028_theme_picture': themePicture,
  '0029_confirmation': confirmation,
  '0030_data_type_move': dataTypeMove,
  '0031_publish_failure': publishFailure,
  '0032_hub_build': hubBuild,
  '0038_second_factor': secondFactor,
  '0040_key_scope': keyScope,
  '0042_import_turns': importTurns,
  '0043_stored_bytes': storedBytes,
  '0045_forced_row_security': forcedRowSecurity,
  '0047_email_tokens': emailTokens,
  '0049_email_change': emailChange,
  '0051_person_activity': personActivity,
  '0052_known_device': knownDevice,
  '0056_place_access': placeAccess,
  '0058_single_sign_on': singleSignOn,
  '0059_account_row_security': accountRowSecurity,
  '0060_passkey': passkey,
  '0063_super_admin_reason': superAdminReason,
  '0064_daily_work': dailyWork,
  '0065_purged_data_type': purgedDataType,
  '0066_restored_hub': restoredHub,
  '0067_calendar_dates': calendarDates,
  '0069_field_profile': fieldProfile,
  '0070_source_metadata': sourceMetadata,
  '0072_place_contact': placeContact,
  '0073_place_languages': placeLanguages,
  '0074_error_report': errorReport,
  '0075_translation': translation,
  '0076_page_author': pageAuthor,
  '0077_boundary_set': boundarySet,
  '0078_region_column': regionColumn,
  '0079_place_request': placeRequest,
  '0081_set_tiles': setTiles,
  '0082_closed_place': closedPlace,
  '0083_place_archive': placeArchive,
  '0087_noted_row': notedRow,
  '0088_natural_order': naturalOrder,
  '0090_data_versions': dataVersions,
  '0091_custom_field': customField,
  '0092_tags': tags,
  '0093_place_sample': placeSample,
  '0094_place_import': placeImport,
  '0095_own_boundary': ownBoundary,
  '0097_closed_files': closedFiles,
  '0098_natural_order_everywhere': naturalOrderEverywhere,
  '0099_told_requests': toldRequests,
  '0100_built_in_parents': builtInParents,
  '0101_built_in_set': builtInSet,
  '0102_place_search': placeSearch,
}
