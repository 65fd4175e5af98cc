import { defineCampaigns } from './campaigns.ts';

/** All campaigns. */
export default defineCampaigns('nightly', { folders: ['*'], engines: ['sqlite', 'mysql'] });
