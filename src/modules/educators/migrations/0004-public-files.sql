create trigger story_files after insert or delete or update of media_url, thumbnail_url on educators.story
  for each row execute function kernel.track_public_files('media_url', 'thumbnail_url');
create trigger announcement_files after insert or delete or update of multimedia on educators.announcement
  for each row execute function kernel.track_public_files('multimedia');

select kernel.adopt_public_files('educators.story', id, concat_ws(' ', media_url, thumbnail_url)) from educators.story;
select kernel.adopt_public_files('educators.announcement', id, multimedia::text) from educators.announcement
  where multimedia <> '[]';
