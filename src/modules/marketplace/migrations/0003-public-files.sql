create trigger product_files after insert or delete or update of image_url, cta_url on marketplace.product
  for each row execute function kernel.track_public_files('image_url', 'cta_url');

select kernel.adopt_public_files('marketplace.product', id, concat_ws(' ', image_url, cta_url)) from marketplace.product;
