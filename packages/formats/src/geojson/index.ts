export { type EventFeature, toEventFeature } from './event-feature.ts';
export { toFeature } from './feature.ts';
export {
  eventCollectionSchema,
  type LocationFeature,
  locationCollectionSchema,
} from './geojson.ts';
export {
  type MappedEvent,
  type MappedLocation,
  mappedEventSchema,
  mappedLocationSchema,
} from './mapped-records.ts';
