/** A field of a message: its name, what it is, and whether it may come several times. */
export type MessageField = [name: string, kind: string, many?: 'many']

/**
 * The messages of GTFS Realtime by the numbers of their fields (gtfs-realtime.proto 2.0). Kinds with a capital are
 * messages or lists of words.
 */
export const messages: Record<string, Record<number, MessageField>> = {
  FeedHeader: {
    1: ['gtfs_realtime_version', 'string'],
    2: ['incrementality', 'Incrementality'],
    3: ['timestamp', 'uint64'],
    4: ['feed_version', 'string'],
  },
  FeedEntity: {
    1: ['id', 'string'],
    2: ['is_deleted', 'bool'],
    3: ['trip_update', 'TripUpdate'],
    4: ['vehicle', 'VehiclePosition'],
    5: ['alert', 'Alert'],
    6: ['shape', 'Shape'],
  },
  TripUpdate: {
    1: ['trip', 'TripDescriptor'],
    2: ['stop_time_update', 'StopTimeUpdate', 'many'],
    3: ['vehicle', 'VehicleDescriptor'],
    4: ['timestamp', 'uint64'],
    5: ['delay', 'int32'],
    6: ['trip_properties', 'TripProperties'],
  },
  StopTimeUpdate: {
    1: ['stop_sequence', 'uint32'],
    2: ['arrival', 'StopTimeEvent'],
    3: ['departure', 'StopTimeEvent'],
    4: ['stop_id', 'string'],
    5: ['schedule_relationship', 'StopRelationship'],
    6: ['stop_time_properties', 'StopTimeProperties'],
    7: ['departure_occupancy_status', 'OccupancyStatus'],
  },
  StopTimeEvent: {
    1: ['delay', 'int32'],
    2: ['time', 'int64'],
    3: ['uncertainty', 'int32'],
    4: ['scheduled_time', 'int64'],
  },
  StopTimeProperties: { 1: ['assigned_stop_id', 'string'], 2: ['stop_headsign', 'string'] },
  TripProperties: {
    1: ['trip_id', 'string'],
    2: ['start_date', 'string'],
    3: ['start_time', 'string'],
    4: ['shape_id', 'string'],
    5: ['trip_headsign', 'string'],
    6: ['trip_short_name', 'string'],
  },
  VehiclePosition: {
    1: ['trip', 'TripDescriptor'],
    2: ['position', 'Position'],
    3: ['current_stop_sequence', 'uint32'],
    4: ['current_status', 'VehicleStopStatus'],
    5: ['timestamp', 'uint64'],
    6: ['congestion_level', 'CongestionLevel'],
    7: ['stop_id', 'string'],
    8: ['vehicle', 'VehicleDescriptor'],
    9: ['occupancy_status', 'OccupancyStatus'],
    10: ['occupancy_percentage', 'uint32'],
    11: ['multi_carriage_details', 'CarriageDetails', 'many'],
  },
  CarriageDetails: {
    1: ['id', 'string'],
    2: ['label', 'string'],
    3: ['occupancy_status', 'OccupancyStatus'],
    4: ['occupancy_percentage', 'int32'],
    5: ['carriage_sequence', 'uint32'],
  },
  Alert: {
    1: ['active_period', 'TimeRange', 'many'],
    5: ['informed_entity', 'EntitySelector', 'many'],
    6: ['cause', 'Cause'],
    7: ['effect', 'Effect'],
    8: ['url', 'TranslatedString'],
    10: ['header_text', 'TranslatedString'],
    11: ['description_text', 'TranslatedString'],
    12: ['tts_header_text', 'TranslatedString'],
    13: ['tts_description_text', 'TranslatedString'],
    14: ['severity_level', 'SeverityLevel'],
    15: ['image', 'TranslatedImage'],
    16: ['image_alternative_text', 'TranslatedString'],
    17: ['cause_detail', 'TranslatedString'],
    18: ['effect_detail', 'TranslatedString'],
  },
  TimeRange: { 1: ['start', 'uint64'], 2: ['end', 'uint64'] },
  EntitySelector: {
    1: ['agency_id', 'string'],
    2: ['route_id', 'string'],
    3: ['route_type', 'int32'],
    4: ['trip', 'TripDescriptor'],
    5: ['stop_id', 'string'],
    6: ['direction_id', 'uint32'],
  },
  TripDescriptor: {
    1: ['trip_id', 'string'],
    2: ['start_time', 'string'],
    3: ['start_date', 'string'],
    4: ['schedule_relationship', 'TripRelationship'],
    5: ['route_id', 'string'],
    6: ['direction_id', 'uint32'],
  },
  VehicleDescriptor: {
    1: ['id', 'string'],
    2: ['label', 'string'],
    3: ['license_plate', 'string'],
    4: ['wheelchair_accessible', 'WheelchairAccessible'],
  },
  Position: {
    1: ['latitude', 'float'],
    2: ['longitude', 'float'],
    3: ['bearing', 'float'],
    4: ['odometer', 'double'],
    5: ['speed', 'float'],
  },
  TranslatedString: { 1: ['translation', 'Translation', 'many'] },
  Translation: { 1: ['text', 'string'], 2: ['language', 'string'] },
  TranslatedImage: { 1: ['localized_image', 'LocalizedImage', 'many'] },
  LocalizedImage: { 1: ['url', 'string'], 2: ['media_type', 'string'], 3: ['language', 'string'] },
  Shape: { 1: ['shape_id', 'string'], 2: ['encoded_polyline', 'string'] },
}

const listWords = (words: string, first = 0) =>
  Object.fromEntries(words.split(' ').map((word, i) => [i + first, word])) as Record<number, string>

/** Words that stand for numbers. */
export const wordLists: Record<string, Record<number, string>> = {
  Incrementality: listWords('FULL_DATASET DIFFERENTIAL'),
  StopRelationship: listWords('SCHEDULED SKIPPED NO_DATA UNSCHEDULED'),
  TripRelationship: {
    ...listWords('SCHEDULED ADDED UNSCHEDULED CANCELED'),
    ...listWords('REPLACEMENT DUPLICATED DELETED NEW', 5),
  },
  VehicleStopStatus: listWords('INCOMING_AT STOPPED_AT IN_TRANSIT_TO'),
  CongestionLevel: listWords(
    'UNKNOWN_CONGESTION_LEVEL RUNNING_SMOOTHLY STOP_AND_GO CONGESTION SEVERE_CONGESTION',
  ),
  OccupancyStatus: listWords(
    'EMPTY MANY_SEATS_AVAILABLE FEW_SEATS_AVAILABLE STANDING_ROOM_ONLY CRUSHED_STANDING_ROOM_ONLY FULL NOT_ACCEPTING_PASSENGERS NO_DATA_AVAILABLE NOT_BOARDABLE',
  ),
  WheelchairAccessible: listWords('NO_VALUE UNKNOWN WHEELCHAIR_ACCESSIBLE WHEELCHAIR_INACCESSIBLE'),
  Cause: listWords(
    'UNKNOWN_CAUSE OTHER_CAUSE TECHNICAL_PROBLEM STRIKE DEMONSTRATION ACCIDENT HOLIDAY WEATHER MAINTENANCE CONSTRUCTION POLICE_ACTIVITY MEDICAL_EMERGENCY',
    1,
  ),
  Effect: listWords(
    'NO_SERVICE REDUCED_SERVICE SIGNIFICANT_DELAYS DETOUR ADDITIONAL_SERVICE MODIFIED_SERVICE OTHER_EFFECT UNKNOWN_EFFECT STOP_MOVED NO_EFFECT ACCESSIBILITY_ISSUE',
    1,
  ),
  SeverityLevel: listWords('UNKNOWN_SEVERITY INFO WARNING SEVERE', 1),
}
